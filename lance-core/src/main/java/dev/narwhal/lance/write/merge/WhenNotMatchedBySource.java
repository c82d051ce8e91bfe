package dev.narwhal.lance.write.merge;

import static java.util.Objects.requireNonNull;

/** What becomes of a table row that no row of the source has the key of. */
public sealed interface WhenNotMatchedBySource {
  /** It stays. */
  static WhenNotMatchedBySource keep() {
    return new Keep();
  }

  /** It is deleted. */
  static WhenNotMatchedBySource delete() {
    return new Delete();
  }

  /**
   * It is deleted where a predicate on the table's columns is true.
   *
   * @param predicate names columns as they are, not qualified
   */
  static WhenNotMatchedBySource deleteIf(String predicate) {
    return new DeleteIf(predicate);
  }

  /** See {@link #keep()}. */
  record Keep() implements WhenNotMatchedBySource {}

  /** See {@link #delete()}. */
  record Delete() implements WhenNotMatchedBySource {}

  /** See {@link #deleteIf(String)}. */
  record DeleteIf(String predicate) implements WhenNotMatchedBySource {
    public DeleteIf {
      requireNonNull(predicate, "predicate");
    }
  }
}
