package dev.narwhal.puffin;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.io.IOUtil;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.puffin.BlobMetadata;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinReader;
import org.apache.iceberg.puffin.StandardBlobTypes;

/**
 * Reads deletion vectors out of Puffin files: by the range that a table's metadata gives, without a
 * look at the footer, or by the footer.
 *
 * <p>A range is checked against the size of the file before anything is allocated. Errors name the
 * file.
 *
 * <p>Source: Puffin spec, "footer structure".
 */
public final class DvPuffinReader {
  /** "PFA1", at both ends of the file and at the start of the footer. */
  static final int MAGIC = 0x3141_4650;

  private static final int MAGIC_BYTES = 4;

  /** Payload size, flags, magic. */
  private static final int FOOTER_TAIL_BYTES = 12;

  private static final int FOOTER_FIXED_BYTES = MAGIC_BYTES + FOOTER_TAIL_BYTES;

  private final InputFile file;

  public DvPuffinReader(InputFile file) {
    this.file = file;
  }

  /**
   * The blob in a range of the file: read-only, nothing of it checked.
   *
   * @param offset {@code content_offset} of the metadata
   * @param length {@code content_size_in_bytes} of the metadata
   * @throws PuffinFormatException when the range leaves the file, or is too large for memory
   */
  public ByteBuffer blob(long offset, long length) throws IOException {
    long size = file.getLength();
    if (offset < 0 || length < 0 || offset > size || length > size - offset) {
      throw outside(offset, length, size);
    }
    if (length > Integer.MAX_VALUE - Byte.SIZE) {
      throw new PuffinFormatException("a vector of " + length + " bytes, expected less than 2 GiB")
          .in(file.location());
    }
    byte[] bytes = new byte[(int) length];
    try {
      IOUtil.readFully(file, offset, bytes, 0, bytes.length);
    } catch (EOFException e) {
      throw new PuffinFormatException("file ends early", e).in(file.location());
    }
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /**
   * The positions of the blob in a range of the file.
   *
   * @throws PuffinFormatException when the range leaves the file or the blob breaks its layout
   */
  public PositionSet positions(long offset, long length) throws IOException {
    ByteBuffer blob = blob(offset, length);
    try {
      return IcebergDvCodec.decode(blob);
    } catch (PuffinFormatException e) {
      throw e.in(file.location() + " bytes " + offset + "+" + length);
    }
  }

  /**
   * The positions of a vector.
   *
   * @throws PuffinFormatException as above, or when there are not as many as the entry says
   */
  public PositionSet positions(DvEntry entry) throws IOException {
    PositionSet positions = positions(entry.offset(), entry.length());
    if (positions.cardinality() != entry.cardinality()) {
      throw new PuffinFormatException(
              positions.cardinality() + " positions, expected " + entry.cardinality())
          .in(file.location() + " bytes " + entry.offset() + "+" + entry.length());
    }
    return positions;
  }

  /**
   * The deletion vectors that the footer lists, in its order. Blobs of other types are passed over.
   *
   * @throws PuffinFormatException when the file is no Puffin file, or lists a deletion vector that
   *     is compressed, lacks a property, or leaves the file
   */
  public List<DvEntry> entries() throws IOException {
    long size = file.getLength();
    long footerSize = footerSize(size);
    List<DvEntry> entries = new ArrayList<>();
    for (BlobMetadata blob : footer(size, footerSize)) {
      if (blob.type().equals(StandardBlobTypes.DV_V1)) {
        entries.add(entry(blob, size - footerSize));
      }
    }
    return entries;
  }

  private DvEntry entry(BlobMetadata blob, long end) {
    String dataFile = blob.properties().get(DvPuffinWriter.REFERENCED_DATA_FILE);
    String cardinality = blob.properties().get(DvPuffinWriter.CARDINALITY);
    String place = file.location() + " blob at " + blob.offset();
    if (dataFile == null) {
      throw new PuffinFormatException("no property " + DvPuffinWriter.REFERENCED_DATA_FILE)
          .in(place);
    }
    if (cardinality == null || !cardinality.matches("[0-9]{1,18}")) {
      throw new PuffinFormatException(
              "property "
                  + DvPuffinWriter.CARDINALITY
                  + " is "
                  + cardinality
                  + ", expected a count")
          .in(place);
    }
    if (blob.compressionCodec() != null) {
      throw new PuffinFormatException(
              "compressed with " + blob.compressionCodec() + ", expected no compression")
          .in(place);
    }
    if (blob.offset() < MAGIC_BYTES || blob.length() < 1 || blob.length() > end - blob.offset()) {
      throw outside(blob.offset(), blob.length(), end);
    }
    return new DvEntry(dataFile, blob.offset(), blob.length(), Long.parseLong(cardinality));
  }

  private List<BlobMetadata> footer(long size, long footerSize) throws IOException {
    try (PuffinReader reader =
        Puffin.read(file).withFileSize(size).withFooterSize(footerSize).build()) {
      return reader.fileMetadata().blobs();
    } catch (RuntimeException e) {
      // What Iceberg throws for a payload that is no such JSON is of many kinds.
      throw new PuffinFormatException("footer cannot be read: " + e.getMessage(), e)
          .in(file.location());
    }
  }

  /** Size of the footer, magic to magic, known to lie in the file behind its first magic. */
  private long footerSize(long size) throws IOException {
    if (size < MAGIC_BYTES + FOOTER_FIXED_BYTES) {
      throw new PuffinFormatException(
              "a file of "
                  + size
                  + " bytes, expected "
                  + (MAGIC_BYTES + FOOTER_FIXED_BYTES)
                  + " or more")
          .in(file.location());
    }
    int start = blob(0, MAGIC_BYTES).order(ByteOrder.LITTLE_ENDIAN).getInt();
    requireMagic(0, start);
    ByteBuffer tail =
        blob(size - FOOTER_TAIL_BYTES, FOOTER_TAIL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    requireMagic(size - MAGIC_BYTES, tail.getInt(8));
    int payload = tail.getInt(0);
    if (payload < 0 || payload > size - MAGIC_BYTES - FOOTER_FIXED_BYTES) {
      throw PuffinFormatException.at(
              size - FOOTER_TAIL_BYTES,
              "footer payload of " + Integer.toUnsignedString(payload) + " bytes",
              "at most " + (size - MAGIC_BYTES - FOOTER_FIXED_BYTES))
          .in(file.location());
    }
    return payload + (long) FOOTER_FIXED_BYTES;
  }

  private void requireMagic(long offset, int found) {
    if (found != MAGIC) {
      throw PuffinFormatException.at(offset, "magic " + Hex.bytes(found), Hex.bytes(MAGIC))
          .in(file.location());
    }
  }

  private PuffinFormatException outside(long offset, long length, long end) {
    return PuffinFormatException.at(
            offset, "a vector of " + length + " bytes", "to lie within " + end)
        .in(file.location());
  }
}
