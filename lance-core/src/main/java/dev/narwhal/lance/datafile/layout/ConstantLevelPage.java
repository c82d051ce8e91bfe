package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.RowRanges;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page of one value, or only nulls, with its levels. There is no index of rows, so that all
 * levels are read when the page is opened, and the places of some rows kept. Immutable. Source:
 * file format sheet 4.8.
 */
final class ConstantLevelPage implements LevelPage {
  /** Rows whose levels are decoded together. */
  private static final int MAX_ROWS = 1 << 16;

  /** The position of every so-manieth row is kept. */
  private static final int ROWS_PER_MARK = 256;

  private final LevelMeaning meaning;
  private final @Nullable Values value;

  /** Empty when every row is one level, 0. */
  private final Optional<LevelStream> repetition;

  private final Optional<LevelStream> definition;

  /** Definition of every level when there is no stream of them. */
  private final short onlyDefinition;

  /** First level of every {@link #ROWS_PER_MARK}th row; of no use without repetition. */
  private final int[] marks;

  private ConstantLevelPage(
      LevelMeaning meaning,
      @Nullable Values value,
      Optional<LevelStream> repetition,
      Optional<LevelStream> definition,
      short onlyDefinition,
      int[] marks) {
    this.meaning = meaning;
    this.value = value;
    this.repetition = repetition;
    this.definition = definition;
    this.onlyDefinition = onlyDefinition;
    this.marks = marks;
  }

  /**
   * A page with levels in its last two buffers.
   *
   * @param value of the levels that are valid; null when none is
   */
  static LevelPage open(
      PageSource page, Layout.Constant layout, LevelMeaning meaning, @Nullable Values value)
      throws IOException {
    int buffer = page.buffers().count() - 2;
    Optional<LevelStream> repetition =
        LevelStream.open(
            page.buffers(),
            buffer,
            layout.repetition(),
            layout.repetitionLevels(),
            meaning.maxRepetition());
    Optional<LevelStream> definition =
        LevelStream.open(
            page.buffers(),
            buffer + 1,
            layout.definition(),
            layout.definitionLevels(),
            meaning.maxDefinition());
    return open(page, meaning, value, repetition, definition);
  }

  /**
   * A page without levels.
   *
   * @param value of all leaves; null when all are null
   */
  static LevelPage open(PageSource page, LevelMeaning meaning, @Nullable Values value) {
    return open(page, meaning, value, Optional.empty(), Optional.empty());
  }

  private static LevelPage open(
      PageSource page,
      LevelMeaning meaning,
      @Nullable Values value,
      Optional<LevelStream> repetition,
      Optional<LevelStream> definition) {
    boolean lists = meaning.maxRepetition() > 0;
    long levels = repetition.isPresent() ? repetition.get().count() : page.rows();
    if (lists != repetition.isPresent()
        || (definition.isPresent() && definition.get().count() != levels)) {
      throw new LanceFormatException(
          "constant page of "
              + page.rows()
              + " rows with "
              + repetition.map(LevelStream::count).orElse(0)
              + " repetition and "
              + definition.map(LevelStream::count).orElse(0)
              + " definition levels");
    }
    // in a page of nulls without levels it is the leaves that are null
    boolean nulls = value == null && definition.isEmpty() && meaning.hasLeafNulls();
    return new ConstantLevelPage(
        meaning,
        value,
        repetition,
        definition,
        (short) (nulls ? 1 : 0),
        repetition.isPresent() ? marks(meaning, repetition.get(), page.rows()) : new int[0]);
  }

  @Override
  public void read(RowRanges rows, LeafBuilder out, Scratch scratch) {
    short[] repetitions = repetition.isPresent() ? repetition.get().levels() : null;
    short[] definitions = definition.isPresent() ? definition.get().levels() : null;
    for (int i = 0; i < rows.size(); i++) {
      for (long from = rows.start(i); from < rows.end(i); ) {
        long to = Math.min(rows.end(i), from + MAX_ROWS);
        scratch.reset();
        long first = level(repetitions, from);
        int count = (int) (level(repetitions, to) - first);
        new DecodedLevels(
                meaning,
                part(repetitions, first, count, (short) 0, scratch),
                part(definitions, first, count, onlyDefinition, scratch),
                count,
                scratch)
            .appendRepeated(value, out);
        from = to;
      }
    }
  }

  @Override
  public long levels(long firstRow, long endRow) {
    if (repetition.isEmpty()) {
      return endRow - firstRow;
    }
    int end = (int) ((endRow + ROWS_PER_MARK - 1) / ROWS_PER_MARK);
    long last = end < marks.length ? marks[end] : repetition.get().count();
    return last - marks[(int) (firstRow / ROWS_PER_MARK)];
  }

  private static short[] part(
      short @Nullable [] levels, long first, int count, short only, Scratch scratch) {
    short[] part = scratch.shorts(count);
    if (levels == null) {
      Arrays.fill(part, 0, count, only);
    } else {
      System.arraycopy(levels, (int) first, part, 0, count);
    }
    return part;
  }

  /** The first level of a row, or the number of levels. */
  private long level(short @Nullable [] repetitions, long row) {
    if (repetitions == null || repetition.isEmpty()) {
      return row;
    }
    int levels = repetition.get().count();
    int at = marks[(int) (row / ROWS_PER_MARK)];
    for (int more = (int) (row % ROWS_PER_MARK); more > 0; more--) {
      at++;
      while (at < levels && repetitions[at] != meaning.maxRepetition()) {
        at++;
      }
    }
    return at;
  }

  private static int[] marks(LevelMeaning meaning, LevelStream repetition, long rows) {
    int count = repetition.count();
    short[] levels = repetition.levels();
    if (rows > count || (count > 0 && levels[0] != meaning.maxRepetition())) {
      throw new LanceFormatException(
          count + " repetition levels for " + rows + " rows, the first must start one");
    }
    int[] marks = new int[(int) (rows / ROWS_PER_MARK) + 1];
    int row = 0;
    for (int i = 0; i < count; i++) {
      if (levels[i] == meaning.maxRepetition()) {
        if (row % ROWS_PER_MARK == 0 && row / ROWS_PER_MARK < marks.length) {
          marks[row / ROWS_PER_MARK] = i;
        }
        row++;
      }
    }
    if (row != rows) {
      throw new LanceFormatException("repetition levels of " + row + " rows, expected " + rows);
    }
    if (row % ROWS_PER_MARK == 0) {
      marks[row / ROWS_PER_MARK] = count;
    }
    return marks;
  }
}
