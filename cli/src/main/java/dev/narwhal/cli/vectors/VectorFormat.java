package dev.narwhal.cli.vectors;

import dev.narwhal.puffin.DvFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The layouts of a deletion vector that the command line knows by name. */
public enum VectorFormat {
  /** An Arrow IPC file with one column of row offsets. */
  LANCE_ARRAY("lance-array"),

  /** One 32-bit portable Roaring bitmap. */
  LANCE_BITMAP("lance-bitmap"),

  /** A {@code deletion-vector-v1} blob, alone or in a Puffin file. Written alone. */
  ICEBERG("iceberg"),

  /** An index file of 32-bit vectors. */
  PAIMON32("paimon32"),

  /** An index file of 64-bit vectors. */
  PAIMON64("paimon64"),

  /** A Delta deletion vector file. */
  DELTA("delta");

  /** "ARROW1", at the start of an Arrow IPC file. */
  private static final byte[] ARROW_MAGIC = {'A', 'R', 'R', 'O', 'W', '1'};

  private static final int ROARING_WITHOUT_RUNS = 12346;
  private static final int ROARING_WITH_RUNS = 12347;

  private final String id;

  VectorFormat(String id) {
    this.id = id;
  }

  /** The name on the command line and in JSON. */
  public String id() {
    return id;
  }

  public static Optional<VectorFormat> ofId(String id) {
    return Arrays.stream(values()).filter(format -> format.id.equals(id)).findFirst();
  }

  public static List<String> ids() {
    return Arrays.stream(values()).map(VectorFormat::id).toList();
  }

  /**
   * The format of a file, by its first bytes; its name decides only between Delta's files and
   * Paimon's 64-bit ones, which begin alike.
   *
   * @param fileName last segment of its path
   */
  public static Optional<VectorFormat> detect(ByteBuffer file, String fileName) {
    ByteBuffer head = file.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (head.limit() >= ARROW_MAGIC.length
        && head.slice(0, ARROW_MAGIC.length).equals(ByteBuffer.wrap(ARROW_MAGIC))) {
      return Optional.of(LANCE_ARRAY);
    }
    Optional<DvFormat> framed = DvFormat.detect(head, fileName);
    if (framed.isPresent()) {
      return framed.map(VectorFormat::of);
    }
    if (head.limit() >= 8 && isRoaringCookie(head.getInt(0))) {
      return Optional.of(LANCE_BITMAP);
    }
    return Optional.empty();
  }

  private static boolean isRoaringCookie(int cookie) {
    return cookie == ROARING_WITHOUT_RUNS || (cookie & 0xFFFF) == ROARING_WITH_RUNS;
  }

  private static VectorFormat of(DvFormat format) {
    return switch (format) {
      case ICEBERG, PUFFIN -> ICEBERG;
      case PAIMON32 -> PAIMON32;
      case PAIMON64 -> PAIMON64;
      case DELTA -> DELTA;
    };
  }
}
