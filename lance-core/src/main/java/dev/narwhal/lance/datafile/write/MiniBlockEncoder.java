package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.codec.GrowingBytes;
import dev.narwhal.lance.datafile.layout.Encoding;
import dev.narwhal.lance.datafile.layout.Layout;
import dev.narwhal.lance.datafile.layout.LayoutCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts chunks of values together with their levels. Source: file format sheet 4.1 to 4.5.
 *
 * <pre>
 * size          meaning, each part padded to 8 bytes
 * 2             number of levels
 * 2, 2          sizes of repetition and definition, those that are there
 * 2 or 4 each   sizes of the value buffers
 *               repetition, definition, value buffers
 * </pre>
 */
final class MiniBlockEncoder {
  private static final int ALIGNMENT = 8;
  private static final int FILL = 0xFE;

  /** What 12 bits of a chunk word can say, in units of 8 bytes. */
  private static final int MAX_SMALL_CHUNK = 32 << 10;

  private static final int MAX_LEVELS = 0xFFFF;

  private final PageLevels levels;
  private final ValueChunks values;
  private final boolean largeChunks;
  private final int[] starts;
  private final @Nullable LevelStream repetition;
  private final @Nullable LevelStream definition;
  private final GrowingBytes words = new GrowingBytes();
  private final GrowingBytes chunks = new GrowingBytes();
  private final GrowingBytes rows = new GrowingBytes();

  private MiniBlockEncoder(
      PageLevels levels, ValueChunks values, boolean largeChunks, boolean withRuns, Coders coders) {
    this.levels = levels;
    this.values = values;
    this.largeChunks = largeChunks;
    this.starts = starts(levels, values);
    short[] rep = levels.repetition();
    short[] def = levels.definition();
    this.repetition = rep == null ? null : LevelStream.of(rep, starts, withRuns, coders);
    this.definition = def == null ? null : LevelStream.of(def, starts, withRuns, coders);
  }

  /**
   * A dictionary that values are indices into.
   *
   * @param items number of entries
   * @param block the entries, encoded
   */
  record Dictionary(Encoding encoding, int items, ByteBuffer block) {}

  /**
   * The page, or empty when some chunk is too large for the layout: fewer values in a chunk may
   * help.
   *
   * @param values at least one
   * @param largeChunks whether words have 32 bits
   * @param withRuns whether levels may be runs
   */
  static Optional<EncodedPage> encode(
      PageLevels levels,
      ValueChunks values,
      Optional<Dictionary> dictionary,
      boolean largeChunks,
      boolean withRuns,
      Coders coders) {
    int[] starts = starts(levels, values);
    for (int i = 0; i + 1 < starts.length; i++) {
      if (starts[i + 1] - starts[i] > MAX_LEVELS) {
        return Optional.empty();
      }
    }
    MiniBlockEncoder encoder = new MiniBlockEncoder(levels, values, largeChunks, withRuns, coders);
    return encoder.chunks() ? Optional.of(encoder.page(dictionary)) : Optional.empty();
  }

  /** What a page without levels says, which is inside another layout. */
  static Layout layout(PageLevels levels, ValueChunks values, boolean largeChunks, Coders coders) {
    return new MiniBlockEncoder(levels, values, largeChunks, false, coders)
        .layout(Optional.empty());
  }

  /** First level of each chunk, and the number of levels: values with what comes before them. */
  private static int[] starts(PageLevels levels, ValueChunks values) {
    int chunks = values.chunks();
    int[] starts = new int[chunks + 1];
    int at = 0;
    for (int i = 0; i + 1 < chunks; i++) {
      if (levels.hasInvisible()) {
        for (int left = values.count(i); left > 0; at++) {
          left -= levels.isVisible(at) ? 1 : 0;
        }
      } else {
        at += values.count(i);
      }
      starts[i + 1] = at;
    }
    starts[chunks] = levels.count();
    return starts;
  }

  private boolean chunks() {
    int count = values.chunks();
    chunks.reserve(values.sizeBytes() + (long) count * 4 * ALIGNMENT);
    for (int i = 0; i < count; i++) {
      int start = chunks.size();
      if (!chunk(i)) {
        return false;
      }
      int size = chunks.size() - start;
      boolean last = i == count - 1;
      int log = Integer.numberOfTrailingZeros(values.count(i));
      boolean whole = values.count(i) == 1 << log;
      int word = (size / ALIGNMENT - 1) << 4 | (last && !whole ? 0 : log);
      if (largeChunks) {
        words.putInt(word);
      } else if (size > MAX_SMALL_CHUNK) {
        return false;
      } else {
        words.putShort(word);
      }
      rowIndex(starts[i], starts[i + 1]);
    }
    return true;
  }

  private boolean chunk(int index) {
    int header = chunks.size();
    boolean leveled = repetition != null || definition != null;
    chunks.putShort(leveled ? starts[index + 1] - starts[index] : 0);
    int sizes = chunks.size();
    chunks.extend(
        (repetition == null ? 0 : 2)
            + (definition == null ? 0 : 2)
            + values.bufferCount() * (largeChunks ? 4 : 2));
    pad(header);
    for (LevelStream stream : new LevelStream[] {repetition, definition}) {
      if (stream != null) {
        int start = chunks.size();
        stream.encode(starts[index], starts[index + 1], chunks);
        int size = chunks.size() - start;
        if (size > 0xFFFF) {
          return false;
        }
        chunks.setShort(sizes, size);
        sizes += 2;
        pad(header);
      }
    }
    for (int i = 0; i < values.bufferCount(); i++) {
      int size = values.size(index, i);
      if (largeChunks) {
        chunks.setInt(sizes, size);
        sizes += 4;
      } else if (size > MAX_SMALL_CHUNK) {
        return false;
      } else {
        chunks.setShort(sizes, size);
        sizes += 2;
      }
      chunks.put(values.buffer(i).array(), values.start(index, i), size);
      pad(header);
    }
    return true;
  }

  private void pad(int from) {
    chunks.fill(FILL, Math.floorMod(from - chunks.size(), ALIGNMENT));
  }

  /** How many rows end in a chunk, and how many levels come after the last end. */
  private void rowIndex(int from, int to) {
    if (repetition == null) {
      return;
    }
    long ends = 0;
    int lastEnd = from;
    for (int next = from + 1; next <= to; next++) {
      if (next == levels.count() || levels.startsRow(next)) {
        ends++;
        lastEnd = next;
      }
    }
    rows.putLong(ends);
    rows.putLong(to - lastEnd);
  }

  private EncodedPage page(Optional<Dictionary> dictionary) {
    List<ByteBuffer> buffers = new ArrayList<>(List.of(words.view(), chunks.view()));
    dictionary.ifPresent(d -> buffers.add(d.block()));
    if (repetition != null) {
      buffers.add(rows.view());
    }
    return new EncodedPage(levels.rows(), LayoutCodec.encode(layout(dictionary)), buffers);
  }

  private Layout layout(Optional<Dictionary> dictionary) {
    return new Layout.MiniBlock(
        Optional.ofNullable(repetition).map(LevelStream::encoding),
        Optional.ofNullable(definition).map(LevelStream::encoding),
        values.encoding(),
        dictionary.map(Dictionary::encoding),
        dictionary.map(Dictionary::items).orElse(0),
        levels.layers(),
        values.bufferCount(),
        repetition == null ? 0 : 1,
        levels.visibleCount(),
        largeChunks);
  }
}
