package dev.narwhal.lance.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lost to another commit; running the operation again on the newest version may succeed. The
 * message names both operations and both versions.
 */
public final class RetryableConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable CommitConflict conflict;

  public RetryableConflictException(String message) {
    super(message);
    this.conflict = null;
  }

  public RetryableConflictException(String message, Throwable cause) {
    super(message, cause);
    this.conflict = null;
  }

  /**
   * @param place the dataset
   */
  public RetryableConflictException(String place, CommitConflict conflict) {
    super(place + ": " + conflict.message() + "; run it again on the newest version");
    this.conflict = conflict;
  }

  /** What met what, where it is known. */
  public Optional<CommitConflict> conflict() {
    return Optional.ofNullable(conflict);
  }
}
