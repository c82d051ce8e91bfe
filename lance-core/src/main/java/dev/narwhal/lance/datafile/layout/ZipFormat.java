package dev.narwhal.lance.datafile.layout;

import org.jspecify.annotations.Nullable;

/**
 * How the levels of a full-zip page follow one another:
 *
 * <pre>
 * size      order   meaning
 * 0,1,2,4   LE      control word: definition in the low bits, repetition in those above
 * width     -       value of one width, if the level has a value, also if it is null
 * 4 or 8    LE      or, if the level has a value that is not null, n = its length
 * n         -       and the value
 * </pre>
 *
 * <p>Exactly one of {@code fixed} and {@code variable} is there. Source: file format sheet 4.7.
 *
 * @param controlBytes 0, 1, 2 or 4; at least 1 if there are lists
 * @param lengthBytes bytes of a length: 0 for values of one width, 4 or 8 for others
 * @param fixed decoder of values of one width
 * @param variable decoder of values of any width
 */
record ZipFormat(
    LevelMeaning meaning,
    int controlBytes,
    int repetitionBits,
    int definitionBits,
    int lengthBytes,
    @Nullable FixedZipValues fixed,
    @Nullable ZipValues variable) {

  /** Bytes of every row, if all have the same; else -1. */
  long rowBytes() {
    return fixed != null && meaning.maxRepetition() == 0
        ? (long) controlBytes + fixed.widthBytes()
        : -1;
  }
}
