package dev.narwhal.cli.vectors;

import dev.narwhal.lance.deletion.ArrayCodec;
import dev.narwhal.lance.deletion.BitmapCodec;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.puffin.DvFormat;
import dev.narwhal.puffin.PositionSet;
import dev.narwhal.puffin.PuffinFormatException;
import dev.narwhal.puffin.VectorRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads one deletion vector out of a file. */
public final class VectorReader {
  private static final int MAX_FILE_BYTES = Integer.MAX_VALUE - 8;
  private static final int RANGES_SHOWN = 8;

  private final Path path;
  private final Optional<VectorFormat> asked;
  private final Optional<VectorRange> range;
  private final long physicalRows;

  private VectorReader(
      Path path, Optional<VectorFormat> asked, Optional<VectorRange> range, long physicalRows) {
    this.path = path;
    this.asked = asked;
    this.range = range;
    this.physicalRows = physicalRows;
  }

  /**
   * Reads the vector of a file, or the one in a range of it.
   *
   * @param asked the format; when empty, the file's content tells it
   * @param range where the vector lies, as the metadata of its format records it; when empty, the
   *     file must hold exactly one
   * @param physicalRows positions must be below it
   * @throws PuffinFormatException or {@link LanceFormatException} naming the file, when it breaks
   *     its layout or holds other than one vector
   */
  public static StoredVector read(
      Path path, Optional<VectorFormat> asked, Optional<VectorRange> range, long physicalRows)
      throws IOException {
    try {
      return new VectorReader(path, asked, range, physicalRows).read();
    } catch (PuffinFormatException e) {
      throw e.in(path.toString());
    } catch (LanceFormatException e) {
      throw e.in(path.toString());
    }
  }

  private StoredVector read() throws IOException {
    ByteBuffer file = bytes();
    Path name = path.getFileName();
    String fileName = name == null ? "" : name.toString();
    VectorFormat format =
        asked
            .or(() -> VectorFormat.detect(file, fileName))
            .orElseThrow(
                () ->
                    new PuffinFormatException(
                        "not a deletion vector of a known format; name the format with --from, one"
                            + " of "
                            + String.join(", ", VectorFormat.ids())));
    StoredVector vector =
        switch (format) {
          case LANCE_ARRAY -> lance(format, part(file));
          case LANCE_BITMAP -> lance(format, part(file));
          case ICEBERG ->
              framed(
                  format,
                  DvFormat.detect(file).equals(Optional.of(DvFormat.PUFFIN))
                      ? DvFormat.PUFFIN
                      : DvFormat.ICEBERG,
                  file);
          case PAIMON32 -> framed(format, DvFormat.PAIMON32, file);
          case PAIMON64 -> framed(format, DvFormat.PAIMON64, file);
          case DELTA -> framed(format, DvFormat.DELTA, file);
        };
    if (vector.positions().max() >= physicalRows) {
      throw new PuffinFormatException(
          "position " + vector.positions().max() + ", expected below " + physicalRows);
    }
    return vector;
  }

  private ByteBuffer bytes() throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    if (!Files.isRegularFile(path)) {
      throw new IOException(path + ": not a file; name one deletion vector file");
    }
    if (Files.size(path) > MAX_FILE_BYTES) {
      throw new IOException(path + ": " + Files.size(path) + " bytes, the limit is 2 GiB");
    }
    return ByteBuffer.wrap(Files.readAllBytes(path)).asReadOnlyBuffer();
  }

  private StoredVector lance(VectorFormat format, ByteBuffer bytes) {
    long rows = Math.min(physicalRows, 1L << 32);
    DeletionVector vector =
        format == VectorFormat.LANCE_ARRAY
            ? ArrayCodec.decode(bytes, rows)
            : BitmapCodec.decode(bytes, rows);
    return new StoredVector(
        format, PositionSet.fromPortable(vector.toPortableBytes()), bytes.remaining());
  }

  private StoredVector framed(VectorFormat format, DvFormat layout, ByteBuffer file) {
    VectorRange where = range.orElseGet(() -> onlyRange(layout.ranges(file)));
    return new StoredVector(format, layout.decode(file, where), where.length());
  }

  private ByteBuffer part(ByteBuffer file) {
    if (range.isEmpty()) {
      return file;
    }
    VectorRange part = range.get();
    if (part.offset() > file.limit() || part.length() > file.limit() - part.offset()) {
      throw new PuffinFormatException(
          "a vector of " + part + ", expected to end within " + file.limit());
    }
    return file.slice((int) part.offset(), (int) part.length());
  }

  private static VectorRange onlyRange(List<VectorRange> ranges) {
    if (ranges.size() == 1) {
      return ranges.get(0);
    }
    if (ranges.isEmpty()) {
      throw new PuffinFormatException("holds no deletion vector");
    }
    throw new PuffinFormatException(
        "holds "
            + ranges.size()
            + " deletion vectors; choose one with --offset and --length: "
            + ranges.stream()
                .limit(RANGES_SHOWN)
                .map(range -> range.offset() + "+" + range.length())
                .collect(Collectors.joining(", "))
            + (ranges.size() > RANGES_SHOWN ? ", ..." : ""));
  }
}
