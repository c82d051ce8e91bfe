package dev.narwhal.lance.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lost to another commit that cannot be reconciled: running the operation again would not do what
 * was meant. The message names both operations and both versions.
 */
public final class IncompatibleConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable CommitConflict conflict;

  public IncompatibleConflictException(String message) {
    super(message);
    this.conflict = null;
  }

  /**
   * @param place the dataset
   */
  public IncompatibleConflictException(String place, CommitConflict conflict) {
    super(place + ": " + conflict.message());
    this.conflict = conflict;
  }

  /** What met what, where it is known. */
  public Optional<CommitConflict> conflict() {
    return Optional.ofNullable(conflict);
  }
}
