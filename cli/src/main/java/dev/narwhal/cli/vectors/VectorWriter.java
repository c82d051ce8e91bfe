package dev.narwhal.cli.vectors;

import dev.narwhal.lance.deletion.ArrayCodec;
import dev.narwhal.lance.deletion.BitmapCodec;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.puffin.DeltaDvCodec;
import dev.narwhal.puffin.IcebergDvCodec;
import dev.narwhal.puffin.Paimon32Codec;
import dev.narwhal.puffin.Paimon64Codec;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes one deletion vector to a file of its own. */
public final class VectorWriter {
  /** Greatest number of offsets whose 4-byte values, and what frames them, fit one array. */
  private static final long MAX_ARRAY_OFFSETS = (Integer.MAX_VALUE - (1 << 16)) / 4;

  private static final long OFFSET_LIMIT = 1L << 32;

  private VectorWriter() {}

  /**
   * The whole file of a set.
   *
   * @throws IllegalArgumentException when the format cannot hold the positions
   */
  public static ByteBuffer encode(VectorFormat format, PositionSet positions) {
    return switch (format) {
      case LANCE_ARRAY -> {
        requireArray(positions);
        yield ArrayCodec.encode(lance(positions));
      }
      case LANCE_BITMAP -> BitmapCodec.encode(lance(positions));
      case ICEBERG -> IcebergDvCodec.encode(positions);
      case PAIMON32 -> Paimon32Codec.encodeFile(positions);
      case PAIMON64 -> Paimon64Codec.encodeFile(positions);
      case DELTA -> DeltaDvCodec.encodeFile(positions);
    };
  }

  /** Creates or replaces a file; a failure leaves it as it was. */
  public static void write(Path path, ByteBuffer bytes) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException(path + ": its folder does not exist; create it first");
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new IOException(path + " is no regular file; choose another place for the vector");
    }
    Path draft = Files.createTempFile(folder, ".narwhal-", ".tmp");
    try {
      try (FileChannel out = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        ByteBuffer rest = bytes.duplicate();
        while (rest.hasRemaining()) {
          out.write(rest);
        }
      }
      Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static DeletionVector lance(PositionSet positions) {
    if (positions.max() >= OFFSET_LIMIT) {
      throw new IllegalArgumentException(
          "position "
              + positions.max()
              + " does not fit a Lance deletion file, the limit is 2^32-1; use iceberg, paimon64"
              + " or delta");
    }
    return BitmapCodec.decode(positions.toPortable(), OFFSET_LIMIT);
  }

  private static void requireArray(PositionSet positions) {
    if (positions.cardinality() > MAX_ARRAY_OFFSETS) {
      throw new IllegalArgumentException(
          positions.cardinality()
              + " positions are too many for lance-array, the limit is "
              + MAX_ARRAY_OFFSETS
              + "; use lance-bitmap");
    }
  }
}
