package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one mini-block chunk. All start at a multiple of 8 bytes.
 *
 * <pre>
 * size         order   meaning
 * 2            LE      number of levels; 0 when there are none
 * 2            LE      bytes of repetition levels, if the page has them
 * 2            LE      bytes of definition levels, if the page has them
 * n * 2 or 4   LE      bytes of each value buffer; 4 in large chunks
 * to 8                 padding
 * ...                  repetition levels, definition levels, value buffers, each padded to 8
 * </pre>
 *
 * <p>Source: file format sheet 4.3.
 */
final class Chunk {
  private final int levels;
  private final @Nullable ByteBuffer repetition;
  private final @Nullable ByteBuffer definition;
  private final ByteBuffer[] values;

  private Chunk(
      int levels,
      @Nullable ByteBuffer repetition,
      @Nullable ByteBuffer definition,
      ByteBuffer[] values) {
    this.levels = levels;
    this.repetition = repetition;
    this.definition = definition;
    this.values = values;
  }

  /** What chunks of a page have, from its layout. */
  record Format(boolean hasRepetition, boolean hasDefinition, int valueBuffers, boolean large) {}

  /**
   * @param bytes exactly the chunk; the parts are views on it
   */
  static Chunk parse(ByteBuffer bytes, Format format) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    int sizeBytes = format.large() ? Integer.BYTES : Short.BYTES;
    int levelSizes = (format.hasRepetition() ? 1 : 0) + (format.hasDefinition() ? 1 : 0);
    int headerBytes = 2 + 2 * levelSizes + sizeBytes * format.valueBuffers();
    if (headerBytes > in.remaining()) {
      throw new LanceFormatException(
          "chunk of " + in.remaining() + " bytes, its header takes " + headerBytes);
    }
    int levels = Short.toUnsignedInt(in.getShort());
    Cursor parts = new Cursor(in, headerBytes);
    ByteBuffer repetition =
        format.hasRepetition() ? parts.next(Short.toUnsignedLong(in.getShort())) : null;
    ByteBuffer definition =
        format.hasDefinition() ? parts.next(Short.toUnsignedLong(in.getShort())) : null;
    ByteBuffer[] values = new ByteBuffer[format.valueBuffers()];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          parts.next(
              format.large()
                  ? Integer.toUnsignedLong(in.getInt())
                  : Short.toUnsignedLong(in.getShort()));
    }
    return new Chunk(levels, repetition, definition, values);
  }

  /** Levels of the chunk, 0 to 65535. */
  int levels() {
    return levels;
  }

  Optional<ByteBuffer> repetition() {
    return Optional.ofNullable(repetition);
  }

  Optional<ByteBuffer> definition() {
    return Optional.ofNullable(definition);
  }

  /** The value buffers, little-endian. Not to be changed. */
  ByteBuffer[] values() {
    return values;
  }

  /** Cuts the parts, in their order. */
  private static final class Cursor {
    private final ByteBuffer chunk;
    private int position;

    Cursor(ByteBuffer chunk, int position) {
      this.chunk = chunk;
      this.position = position;
    }

    ByteBuffer next(long sizeBytes) {
      int start = (position + 7) & ~7;
      if (start > chunk.limit() || sizeBytes > chunk.limit() - start) {
        throw new LanceFormatException(
            "buffer of "
                + sizeBytes
                + " bytes at "
                + start
                + " of a chunk of "
                + chunk.limit()
                + " bytes");
      }
      position = start + (int) sizeBytes;
      return chunk.slice(start, (int) sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
    }
  }
}
