package dev.narwhal.lance.datafile;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.function.Supplier;

/** Says of failures where in a file they are: decoders of pages know only their own bytes. */
final class PlacedFailures {
  private PlacedFailures() {}

  /** Decodes something of a page. */
  interface Decoding {
    void run() throws IOException;
  }

  /**
   * Runs a decoding and names its place in whatever is wrong with the page.
   *
   * @param place file, column and page; asked for only after a failure
   */
  static void run(Supplier<String> place, Decoding decoding) throws IOException {
    try {
      decoding.run();
    } catch (LanceFormatException e) {
      throw e.in(place.get());
    } catch (UnsupportedFeatureException e) {
      throw e.in(place.get());
    } catch (IndexOutOfBoundsException | ArithmeticException e) {
      // Decoders check what they use; should one miss a lie in the file, it still is the file's.
      throw new LanceFormatException(place.get() + ": inconsistent page: " + e, e);
    }
  }
}
