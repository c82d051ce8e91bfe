package dev.narwhal.lance.write.merge;

import static java.util.Objects.requireNonNull;

/** What a merge does with rows of each kind. */
record MergeClauses(
    WhenMatched matched, WhenNotMatched notMatched, WhenNotMatchedBySource notMatchedBySource) {
  MergeClauses {
    requireNonNull(matched, "matched");
    requireNonNull(notMatched, "notMatched");
    requireNonNull(notMatchedBySource, "notMatchedBySource");
  }

  /** Find or create: matched rows stay, others are inserted. Real Lance's default. */
  static MergeClauses standard() {
    return new MergeClauses(
        WhenMatched.doNothing(), WhenNotMatched.INSERT, WhenNotMatchedBySource.keep());
  }

  MergeClauses withMatched(WhenMatched other) {
    return new MergeClauses(other, notMatched, notMatchedBySource);
  }

  MergeClauses withNotMatched(WhenNotMatched other) {
    return new MergeClauses(matched, other, notMatchedBySource);
  }

  MergeClauses withNotMatchedBySource(WhenNotMatchedBySource other) {
    return new MergeClauses(matched, notMatched, other);
  }

  boolean inserts() {
    return notMatched == WhenNotMatched.INSERT;
  }

  /** Whether rows of the table may get other values. */
  boolean updates() {
    return matched instanceof WhenMatched.UpdateAll || matched instanceof WhenMatched.UpdateIf;
  }

  /** Whether rows are deleted that the source does not have. */
  boolean deletesBySource() {
    return !(notMatchedBySource instanceof WhenNotMatchedBySource.Keep);
  }

  /**
   * Throws when there is nothing that it could do.
   *
   * @throws IllegalArgumentException saying so
   */
  void requireEffect() {
    if (matched instanceof WhenMatched.DoNothing && !inserts() && !deletesBySource()) {
      throw new IllegalArgumentException(
          "the merge can change nothing: matched rows stay, others are neither inserted nor"
              + " deleted; choose something for one of them");
    }
  }
}
