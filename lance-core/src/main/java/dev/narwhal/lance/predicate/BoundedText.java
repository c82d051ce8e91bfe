package dev.narwhal.lance.predicate;

/**
 * A text that may be looked at only so often: a regular expression that tries exponentially many
 * ways to match ends with an error instead of running for ever.
 */
final class BoundedText implements CharSequence {
  private static final long LOOKS_PER_CHARACTER = 2_000;
  private static final long LEAST_LOOKS = 10_000_000;

  private final String text;
  private long looks;

  BoundedText(String text) {
    this.text = text;
    this.looks = Math.max(LEAST_LOOKS, LOOKS_PER_CHARACTER * text.length());
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    if (--looks < 0) {
      throw new IllegalArgumentException("the regular expression needs too many steps");
    }
    return text.charAt(index);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
