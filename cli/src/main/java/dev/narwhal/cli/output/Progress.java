package dev.narwhal.cli.output;

/** How far long work has come. Safe for use by many threads. */
public interface Progress extends AutoCloseable {
  Progress SILENT =
      new Progress() {
        @Override
        public void advance(long units) {}

        @Override
        public void close() {}
      };

  /** Says that so many more units are done. */
  void advance(long units);

  @Override
  void close();
}
