package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.layout.LeafPath;
import dev.narwhal.lance.datafile.layout.LevelPage;
import dev.narwhal.lance.datafile.layout.LevelPages;
import dev.narwhal.lance.datafile.page.PageSource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A page of a leaf in a tree and, once someone has asked for it, its decoder. */
final class LevelSlot {
  private final int number;
  private final PageSource source;
  private final LeafPath path;
  private volatile @Nullable LevelPage page;
  private volatile double valueBytes = -1;

  /**
   * @param number index among all pages of the column, for messages
   */
  LevelSlot(int number, PageSource source, LeafPath path) {
    this.number = number;
    this.source = source;
    this.path = path;
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

  /** What was learnt of the Arrow bytes of a value, on average; negative when nothing was. */
  double valueBytes() {
    return valueBytes;
  }

  void learn(double bytes) {
    valueBytes = bytes;
  }

  /** The page's decoder, made by the first caller while others wait; a failure is not kept. */
  LevelPage page() throws IOException {
    LevelPage made = page;
    if (made == null) {
      synchronized (this) {
        made = page;
        if (made == null) {
          made = LevelPages.open(source, path);
          page = made;
        }
      }
    }
    return made;
  }
}
