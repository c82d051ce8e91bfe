package dev.narwhal.lance.write.merge;

import static java.util.Objects.requireNonNull;

/**
 * What a merge does with rows of each kind.
 *
 * @param inPlace whether updated rows stay where they are, and only the source's columns of them
 *     are written anew
 */
record MergeClauses(
    WhenMatched matched,
    WhenNotMatched notMatched,
    WhenNotMatchedBySource notMatchedBySource,
    boolean inPlace) {
  MergeClauses {
    requireNonNull(matched, "matched");
    requireNonNull(notMatched, "notMatched");
    requireNonNull(notMatchedBySource, "notMatchedBySource");
  }

  /** Find or create: matched rows stay, others are inserted. Real Lance's default. */
  static MergeClauses standard() {
    return new MergeClauses(
        WhenMatched.doNothing(), WhenNotMatched.INSERT, WhenNotMatchedBySource.keep(), false);
  }

  MergeClauses withMatched(WhenMatched other) {
    return new MergeClauses(other, notMatched, notMatchedBySource, inPlace);
  }

  MergeClauses withNotMatched(WhenNotMatched other) {
    return new MergeClauses(matched, other, notMatchedBySource, inPlace);
  }

  MergeClauses withNotMatchedBySource(WhenNotMatchedBySource other) {
    return new MergeClauses(matched, notMatched, other, inPlace);
  }

  MergeClauses asInPlace() {
    return new MergeClauses(matched, notMatched, notMatchedBySource, true);
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
   * Throws when there is nothing that it could do, or the clauses do not go together.
   *
   * @throws IllegalArgumentException saying so
   */
  void requireEffect() {
    if (inPlace && (!updates() || deletesBySource())) {
      throw new IllegalArgumentException(
          "in place rows can be updated and others inserted, but none deleted: update matched rows,"
              + " and keep those that the source does not have");
    }
    if (matched instanceof WhenMatched.DoNothing && !inserts() && !deletesBySource()) {
      throw new IllegalArgumentException(
          "the merge can change nothing: matched rows stay, others are neither inserted nor"
              + " deleted; choose something for one of them");
    }
  }
}
