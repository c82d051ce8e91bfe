package dev.narwhal.lance.transaction;

import dev.narwhal.lance.manifest.ManifestFile;
import java.io.IOException;

/**
 * A look at what others committed, beyond what the conflict rules know of: asked before an attempt
 * whenever there are newer versions than at the last one, once these have passed the rules.
 */
@FunctionalInterface
public interface CommitGuard {
  /**
   * Looks at the newest version.
   *
   * @throws dev.narwhal.lance.error.RetryableConflictException when the operation must be worked
   *     out again on it
   */
  void check(ManifestFile latest) throws IOException;

  /** Lets everything pass. */
  static CommitGuard none() {
    return latest -> {};
  }
}
