package dev.narwhal.cli;

/** What the process tells its caller. */
final class ExitCode {
  static final int DONE = 0;

  /** The operation failed; one {@code error:} line on stderr says why. */
  static final int FAILED = 1;

  /** The command line was wrong; nothing was begun. */
  static final int USAGE = 2;

  private ExitCode() {}
}
