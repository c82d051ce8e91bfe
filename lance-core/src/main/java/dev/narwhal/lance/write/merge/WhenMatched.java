package dev.narwhal.lance.write.merge;

import static java.util.Objects.requireNonNull;

/** What becomes of a table row that a row of the source has the key of. */
public sealed interface WhenMatched {
  /** Leaves it as it is. */
  static WhenMatched doNothing() {
    return new DoNothing();
  }

  /** Gives it the values of the source's row; columns that the source lacks keep theirs. */
  static WhenMatched updateAll() {
    return new UpdateAll();
  }

  /**
   * The same where an expression is true.
   *
   * @param condition names columns as {@code source.x} and {@code target.x}
   */
  static WhenMatched updateIf(String condition) {
    return new UpdateIf(condition);
  }

  /** Fails the whole merge. */
  static WhenMatched fail() {
    return new Fail();
  }

  /** Deletes it. */
  static WhenMatched delete() {
    return new Delete();
  }

  /** See {@link #doNothing()}. */
  record DoNothing() implements WhenMatched {}

  /** See {@link #updateAll()}. */
  record UpdateAll() implements WhenMatched {}

  /** See {@link #updateIf(String)}. */
  record UpdateIf(String condition) implements WhenMatched {
    public UpdateIf {
      requireNonNull(condition, "condition");
    }
  }

  /** See {@link #fail()}. */
  record Fail() implements WhenMatched {}

  /** See {@link #delete()}. */
  record Delete() implements WhenMatched {}
}
