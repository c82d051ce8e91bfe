package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;

/** Entry point of the {@code narwhal} command. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(run(Console.system(), args));
  }

  /** Runs one command line and leaves everything it printed flushed. */
  static int run(Console console, String... args) {
    return new CommandRunner(console).run(args);
  }
}
