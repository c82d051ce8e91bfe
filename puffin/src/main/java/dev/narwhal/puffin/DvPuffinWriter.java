package dev.narwhal.puffin;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.puffin.Blob;
import org.apache.iceberg.puffin.BlobMetadata;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinCompressionCodec;
import org.apache.iceberg.puffin.PuffinWriter;
import org.apache.iceberg.puffin.StandardBlobTypes;

/**
 * Writes one Puffin file of deletion vectors, in the order given. The same vectors in the same
 * order give the same bytes.
 *
 * <p>Each blob has the type {@code deletion-vector-v1}, the field {@code _pos} (2147483645), no
 * snapshot and sequence number yet (-1), no compression, and the properties {@code
 * referenced-data-file} and {@code cardinality}: what Iceberg's own writer gives it. A data file
 * without deletes has no vector: an empty set is passed over, and so told.
 *
 * <p>An I/O error inside Iceberg's writer comes as {@link java.io.UncheckedIOException}. A file
 * that was not finished is no Puffin file, or lacks vectors: whoever made the {@link OutputFile}
 * deletes it. Not safe for use by many threads.
 *
 * <p>Source: Puffin spec, "file structure" and "deletion-vector-v1 blob type".
 */
public final class DvPuffinWriter implements AutoCloseable {
  static final String REFERENCED_DATA_FILE = "referenced-data-file";
  static final String CARDINALITY = "cardinality";
  private static final long NONE_YET = -1;
  private static final List<Integer> FIELDS = List.of(MetadataColumns.ROW_POSITION.fieldId());

  private final PuffinWriter writer;
  private final List<DvEntry> entries = new ArrayList<>();
  private final DvFrame frame = new DvFrame();
  private boolean closed;

  /** Creates the file. */
  public DvPuffinWriter(OutputFile file) {
    this.writer = Puffin.write(file).createdBy(createdBy()).build();
  }

  /** The name this library goes by in files: {@code Narwhal} and its version. */
  public static String createdBy() {
    return Version.CREATED_BY;
  }

  /**
   * Adds a vector, encoded.
   *
   * @return where it lies; empty when there were no positions and nothing was written
   */
  public Optional<DvEntry> add(String referencedDataFile, PositionSet positions) {
    if (positions.isEmpty()) {
      return Optional.empty();
    }
    return write(referencedDataFile, IcebergDvCodec.encode(positions), positions.cardinality());
  }

  /** Adds a vector whose bytes are taken as they are; otherwise as {@link #add}. */
  public Optional<DvEntry> add(String referencedDataFile, PortableRoaring portable) {
    if (portable.isEmpty()) {
      return Optional.empty();
    }
    return write(referencedDataFile, portable.sealed(), portable.cardinality());
  }

  /**
   * Adds a vector whose 32-bit portable Roaring bytes are taken as they are.
   *
   * @param portable from its position to its limit; it stays as it is
   * @param physicalRows number of rows in the data file, in {@code [0, 2^32]}
   * @return where it lies; empty when there were no positions and nothing was written
   * @throws PuffinFormatException when the bytes are not exactly one valid bitmap of positions
   *     below {@code physicalRows}; nothing was written
   */
  public Optional<DvEntry> splice(
      String referencedDataFile, ByteBuffer portable, long physicalRows) {
    frame.body(portable.remaining()).put(portable.slice());
    return splice(referencedDataFile, frame, physicalRows);
  }

  /**
   * The same, from a frame whose body the caller has filled. The frame may be used again
   * afterwards.
   */
  public Optional<DvEntry> splice(String referencedDataFile, DvFrame frame, long physicalRows) {
    long cardinality = frame.seal(physicalRows);
    if (cardinality == 0) {
      return Optional.empty();
    }
    return write(referencedDataFile, frame.sealedBytes(), cardinality);
  }

  /** What was written so far, in order. */
  public List<DvEntry> entries() {
    return List.copyOf(entries);
  }

  /**
   * Writes the footer and closes the file.
   *
   * @return the size of the file, in bytes
   */
  public long finish() throws IOException {
    close();
    return writer.fileSize();
  }

  /** Closes the file; without {@link #finish()} before, the caller has abandoned it. */
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      writer.close();
    }
  }

  private Optional<DvEntry> write(String referencedDataFile, ByteBuffer blob, long cardinality) {
    requireNonNull(referencedDataFile, "referencedDataFile");
    // The order of the properties is part of the bytes.
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(REFERENCED_DATA_FILE, referencedDataFile);
    properties.put(CARDINALITY, Long.toString(cardinality));
    BlobMetadata written =
        writer.write(
            new Blob(
                StandardBlobTypes.DV_V1,
                FIELDS,
                NONE_YET,
                NONE_YET,
                blob,
                PuffinCompressionCodec.NONE,
                properties));
    DvEntry entry =
        new DvEntry(referencedDataFile, written.offset(), written.length(), cardinality);
    entries.add(entry);
    return Optional.of(entry);
  }

  private static final class Version {
    static final String CREATED_BY = "Narwhal " + read();

    private static String read() {
      Properties properties = new Properties();
      try (InputStream in = DvPuffinWriter.class.getResourceAsStream("version.properties")) {
        if (in == null) {
          throw new IllegalStateException("version.properties is missing from the jar");
        }
        properties.load(in);
      } catch (IOException e) {
        throw new IllegalStateException("version.properties cannot be read", e);
      }
      return properties.getProperty("version");
    }
  }
}
