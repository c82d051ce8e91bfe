package dev.narwhal.puffin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.inmemory.InMemoryInputFile;

/** The kinds of file that deletion vectors come in, told apart by their first bytes. */
public enum DvFormat {
  /** A bare {@code deletion-vector-v1} blob, with nothing around it. */
  ICEBERG("D1 D3 39 64 at byte 4"),

  /** A Puffin file; its footer lists the vectors. */
  PUFFIN("PFA1 at byte 0"),

  /** A Paimon index file of 32-bit vectors. */
  PAIMON32("01 at byte 0, 5E 43 F2 D0 at byte 5"),

  /** A Paimon index file of 64-bit vectors. */
  PAIMON64("01 at byte 0, D1 D3 39 64 at byte 5, and a name that begins with index-"),

  /** A Delta deletion vector file. */
  DELTA("01 at byte 0, D1 D3 39 64 at byte 5");

  /** How many bytes {@link #detect} looks at. */
  public static final int DETECT_BYTES = 9;

  private static final String PAIMON_INDEX_PREFIX = "index-";

  private final String magic;

  DvFormat(String magic) {
    this.magic = magic;
  }

  /** Which bytes, and where, tell this format. */
  public String magic() {
    return magic;
  }

  /**
   * The format of a file, by its first bytes. Delta's files and Paimon's 64-bit ones have the same
   * bytes: the name decides between them, Delta's when it says nothing.
   *
   * @param bytes the file or its beginning, from the buffer's position on; fewer than {@link
   *     #DETECT_BYTES} may be too few
   * @param fileName last segment of its path
   */
  public static Optional<DvFormat> detect(ByteBuffer bytes, String fileName) {
    ByteBuffer head = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (intAt(head, 0, DvPuffinReader.MAGIC)) {
      return Optional.of(PUFFIN);
    }
    if (intAt(head, CrcFrame.BODY_AT, IcebergDvCodec.MAGIC)) {
      return Optional.of(ICEBERG);
    }
    int body = VersionedFile.FRAMES_AT + CrcFrame.BODY_AT;
    if (head.limit() == 0 || head.get(0) != VersionedFile.VERSION) {
      return Optional.empty();
    }
    if (intAt(head, body, Paimon32Codec.MAGIC)) {
      return Optional.of(PAIMON32);
    }
    if (intAt(head, body, IcebergDvCodec.MAGIC)) {
      return Optional.of(fileName.startsWith(PAIMON_INDEX_PREFIX) ? PAIMON64 : DELTA);
    }
    return Optional.empty();
  }

  /** The same without a name to go by. */
  public static Optional<DvFormat> detect(ByteBuffer bytes) {
    return detect(bytes, "");
  }

  /**
   * All vectors of a whole file, as the metadata of this format would record them.
   *
   * @throws PuffinFormatException when the file breaks the layout
   */
  public List<VectorRange> ranges(ByteBuffer file) {
    return switch (this) {
      case ICEBERG -> List.of(new VectorRange(0, file.remaining()));
      case PUFFIN -> puffinRanges(file);
      case PAIMON32 -> Paimon32Codec.ranges(file);
      case PAIMON64 -> Paimon64Codec.ranges(file);
      case DELTA -> DeltaDvCodec.ranges(file);
    };
  }

  /**
   * One vector of a whole file.
   *
   * @param range as the metadata of this format records it
   * @throws PuffinFormatException when file or vector break the layout
   */
  public PositionSet decode(ByteBuffer file, VectorRange range) {
    return switch (this) {
      case ICEBERG, PUFFIN -> blob(file, range);
      case PAIMON32 -> Paimon32Codec.decode(file, range);
      case PAIMON64 -> Paimon64Codec.decode(file, range);
      case DELTA -> DeltaDvCodec.decode(file, range);
    };
  }

  private static PositionSet blob(ByteBuffer file, VectorRange range) {
    int size = file.remaining();
    if (range.offset() > size || range.length() > size - range.offset()) {
      throw PuffinFormatException.at(
          range.offset(), "a vector of " + range.length() + " bytes", "to end within " + size);
    }
    try {
      return IcebergDvCodec.decode(file.slice().slice((int) range.offset(), (int) range.length()));
    } catch (PuffinFormatException e) {
      throw e.in("vector in " + range);
    }
  }

  private static List<VectorRange> puffinRanges(ByteBuffer file) {
    byte[] bytes = new byte[file.remaining()];
    file.slice().get(bytes);
    try {
      List<VectorRange> ranges = new ArrayList<>();
      for (DvEntry entry : new DvPuffinReader(new InMemoryInputFile(bytes)).entries()) {
        ranges.add(new VectorRange(entry.offset(), entry.length()));
      }
      return ranges;
    } catch (IOException e) {
      throw new UncheckedIOException("reading memory failed", e);
    }
  }

  private static boolean intAt(ByteBuffer head, int at, int expected) {
    return head.limit() >= at + 4 && head.getInt(at) == expected;
  }
}
