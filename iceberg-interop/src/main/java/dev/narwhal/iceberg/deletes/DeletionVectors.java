package dev.narwhal.iceberg.deletes;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.narwhal.puffin.DvEntry;
import dev.narwhal.puffin.DvPuffinReader;
import dev.narwhal.puffin.PositionSet;
import dev.narwhal.puffin.PuffinFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.util.ContentFileUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the deletion vectors that a table's metadata names. Each is read by its range alone; the
 * footers of the Puffin files, each read once, only confirm that the range is the data file's own.
 * A file without a Puffin container, as some writers leave them, has no footer to ask: its vectors
 * are read with a warning. Safe for use by many threads.
 *
 * <p>Source: Iceberg spec, "Deletion Vectors"; Puffin spec, "Footer".
 */
public final class DeletionVectors {
  private static final Logger LOG = LoggerFactory.getLogger(DeletionVectors.class);
  private static final ByteBuffer MAGIC = ByteBuffer.wrap("PFA1".getBytes(US_ASCII));

  private final FileIO io;
  private final Map<String, Optional<Map<Long, DvEntry>>> footers = new ConcurrentHashMap<>();

  public DeletionVectors(FileIO io) {
    this.io = io;
  }

  /**
   * The positions of a vector.
   *
   * @throws PuffinFormatException if the blob is damaged, does not hold as many positions as the
   *     metadata says, or is another data file's by the footer
   */
  public PositionSet read(DeleteFile vector) throws IOException {
    Long offset = vector.contentOffset();
    Long length = vector.contentSizeInBytes();
    String dataFile = vector.referencedDataFile();
    if (offset == null || length == null || dataFile == null) {
      throw new PuffinFormatException(
              "the table's metadata lacks offset, length or data file of the vector")
          .in(vector.location());
    }
    String place = ContentFileUtil.dvDesc(vector);
    PositionSet positions =
        new DvPuffinReader(io.newInputFile(vector.location())).positions(offset, length);
    if (positions.cardinality() != vector.recordCount()) {
      throw new PuffinFormatException(
              positions.cardinality()
                  + " positions, expected "
                  + vector.recordCount()
                  + " as the table's metadata says")
          .in(place);
    }
    Optional<Map<Long, DvEntry>> footer = footer(vector.location());
    if (footer.isPresent()) {
      confirm(Optional.ofNullable(footer.get().get(offset)), length, dataFile, place);
    }
    return positions;
  }

  private static void confirm(
      Optional<DvEntry> listed, long length, String dataFile, String place) {
    DvEntry entry =
        listed.orElseThrow(
            () -> new PuffinFormatException("no vector begins there by the footer").in(place));
    if (entry.length() != length || !entry.referencedDataFile().equals(dataFile)) {
      throw new PuffinFormatException(
              "by the footer a vector of "
                  + entry.length()
                  + " bytes for "
                  + entry.referencedDataFile()
                  + ", expected "
                  + length
                  + " bytes for "
                  + dataFile)
          .in(place);
    }
  }

  private Optional<Map<Long, DvEntry>> footer(String location) throws IOException {
    Optional<Map<Long, DvEntry>> known = footers.get(location);
    if (known != null) {
      return known;
    }
    try {
      return footers.computeIfAbsent(location, this::readFooter);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private Optional<Map<Long, DvEntry>> readFooter(String location) {
    DvPuffinReader reader = new DvPuffinReader(io.newInputFile(location));
    try {
      if (!isContained(reader)) {
        LOG.warn("{} holds bare vectors without a Puffin container", location);
        return Optional.empty();
      }
      Map<Long, DvEntry> entries = new HashMap<>();
      reader.entries().forEach(entry -> entries.put(entry.offset(), entry));
      return Optional.of(entries);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a file begins as a Puffin file does. */
  public static boolean isContained(DvPuffinReader file) throws IOException {
    return file.blob(0, MAGIC.remaining()).equals(MAGIC);
  }
}
