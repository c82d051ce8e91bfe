package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.array.ArrayPages;
import dev.narwhal.lance.datafile.layout.LayoutPages;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.PageSource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A page and, once someone has asked for it, its decoder. Here the two generations of page messages
 * part: array encodings (2.0) and layouts (2.1 and later).
 */
final class PageSlot {
  private final FileVersion version;
  private final int number;
  private final PageSource source;
  private volatile @Nullable PageDecoder decoder;
  private volatile double rowBytes = -1;

  /**
   * @param number index among all pages of the column, for messages
   */
  PageSlot(FileVersion version, int number, PageSource source) {
    this.version = version;
    this.number = number;
    this.source = source;
  }

  int number() {
    return number;
  }

  long rows() {
    return source.rows();
  }

  PageSource source() {
    return source;
  }

  /** What was learnt of the Arrow bytes of a row, on average; negative when nothing was. */
  double rowBytes() {
    return rowBytes;
  }

  void learn(double bytes) {
    rowBytes = bytes;
  }

  /** The page's decoder, made by the first caller while others wait; a failure is not kept. */
  PageDecoder decoder() throws IOException {
    PageDecoder made = decoder;
    if (made == null) {
      synchronized (this) {
        made = decoder;
        if (made == null) {
          made = open();
          decoder = made;
        }
      }
    }
    return made;
  }

  private PageDecoder open() throws IOException {
    return switch (version) {
      case V2_0 -> ArrayPages.open(source);
      case V2_1, V2_2, V2_3 -> LayoutPages.open(source);
    };
  }
}
