package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Decodes chunks of a mini-block page without repetition into rows. Immutable. */
final class MiniBlockRows {
  private final Chunk.Format format;
  private final @Nullable LevelDecoder definition;
  private final ChunkDecoder values;
  private final @Nullable Values dictionary;

  /**
   * @param definition decoder of definition levels, if the page has them
   * @param dictionary what decoded values are indices of, if the page has one
   */
  MiniBlockRows(
      Chunk.Format format,
      @Nullable LevelDecoder definition,
      ChunkDecoder values,
      @Nullable Values dictionary) {
    this.format = format;
    this.definition = definition;
    this.values = values;
    this.dictionary = dictionary;
  }

  /**
   * Decodes a whole chunk.
   *
   * @param bytes exactly one chunk
   * @param count its rows
   * @return rows that stay valid until the next call with the same scratch memory
   */
  Decoded decode(ByteBuffer bytes, int count, Scratch scratch) {
    scratch.reset();
    Chunk chunk = Chunk.parse(bytes, format);
    ByteBuffer validity = validity(chunk, count, scratch);
    Values decoded = values.decode(chunk.values(), 0, count, scratch);
    if (dictionary == null) {
      return new Decoded(validity, decoded, null);
    }
    int[] indices =
        DictionaryIndices.of((FixedValues) decoded, validity, dictionary.count(), scratch);
    return new Decoded(validity, dictionary, indices);
  }

  /**
   * Decodes some rows of a chunk, the others only where an encoding knows no better.
   *
   * @param bytes exactly one chunk
   * @param count its rows
   * @param positions of the rows, strictly ascending; may be overwritten
   * @param picks how many of them there are
   */
  void take(
      ByteBuffer bytes, int count, int[] positions, int picks, VectorBuilder out, Scratch scratch) {
    if (dictionary != null || !values.decodesSome()) {
      decode(bytes, count, scratch).gather(positions, picks, out);
      return;
    }
    scratch.reset();
    Chunk chunk = Chunk.parse(bytes, format);
    ByteBuffer validity = validity(chunk, count, scratch);
    if (validity != null) {
      out.validity().gather(out.rows(), validity, positions, 0, picks);
    }
    Values some = values.decodeSome(chunk.values(), 0, count, positions, picks, scratch);
    out.append(some, 0, picks);
  }

  private @Nullable ByteBuffer validity(Chunk chunk, int count, Scratch scratch) {
    if (definition == null || chunk.definition().isEmpty()) {
      return null;
    }
    if (chunk.levels() != count) {
      throw new LanceFormatException(
          "chunk of " + chunk.levels() + " levels, expected one for each of " + count + " values");
    }
    return definition.decodeValidity(chunk.definition().get(), count, scratch);
  }

  /** The rows of one chunk: values, or indices into a dictionary, with their validity. */
  static final class Decoded {
    private final @Nullable ByteBuffer validity;
    private final Values values;
    private final int @Nullable [] indices;

    private Decoded(@Nullable ByteBuffer validity, Values values, int @Nullable [] indices) {
      this.validity = validity;
      this.values = values;
      this.indices = indices;
    }

    /** Appends rows {@code [from, from + count)} of the chunk. */
    void append(int from, int count, VectorBuilder out) {
      if (validity != null) {
        out.validity().copy(out.rows(), validity, from, count);
      }
      if (indices == null) {
        out.append(values, from, count);
      } else {
        out.gather(values, indices, from, count);
      }
    }

    /** Appends the rows at the first {@code count} positions, which it may overwrite. */
    private void gather(int[] positions, int count, VectorBuilder out) {
      if (validity != null) {
        out.validity().gather(out.rows(), validity, positions, 0, count);
      }
      if (indices != null) {
        for (int i = 0; i < count; i++) {
          positions[i] = indices[positions[i]];
        }
      }
      out.gather(values, positions, 0, count);
    }
  }
}
