package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.ColumnMetadata;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/** A leaf column from 2.1 on. */
final class LayoutColumnWriter implements FieldWriter {
  private final Shredder shredder;
  private final PageEncoder encoder;
  private final int pageBytes;
  private final boolean blobs;
  private final List<ColumnPage> ended = new ArrayList<>();

  private LayoutColumnWriter(Shredder shredder, PageEncoder encoder, int pageBytes, boolean blobs) {
    this.shredder = shredder;
    this.encoder = encoder;
    this.pageBytes = pageBytes;
    this.blobs = blobs;
  }

  /** A column that holds its values. */
  static LayoutColumnWriter values(Shredder shredder, PageEncoder encoder, int pageBytes) {
    return new LayoutColumnWriter(shredder, encoder, pageBytes, false);
  }

  /** A column that holds where its values are. */
  static LayoutColumnWriter blobs(Shredder shredder, PageEncoder encoder, int pageBytes) {
    return new LayoutColumnWriter(shredder, encoder, pageBytes, true);
  }

  @Override
  public int columns() {
    return 1;
  }

  @Override
  public long priority(long pageRows) {
    return pageRows / shredder.rowsPerRow();
  }

  @Override
  public ColumnMetadata.Kind kind(int column) {
    return ColumnMetadata.Kind.VALUES;
  }

  @Override
  public void bind(FieldVector root, DictionaryProvider dictionaries, long row) {
    shredder.bind(root, row);
    if (shredder.values() instanceof DictionaryLeaf indices
        && indices.changesDictionary(shredder.leafVector(), dictionaries)) {
      // a page has one dictionary
      ended.addAll(page());
      indices.bindDictionary(shredder.leafVector(), dictionaries);
    }
  }

  @Override
  public long sizeBytes(int from, int to) {
    return shredder.sizeBytes(from, to);
  }

  @Override
  public List<ColumnPage> append(int from, int to) {
    List<ColumnPage> pages = new ArrayList<>(ended);
    ended.clear();
    int at = from;
    while (at < to) {
      int end = to;
      long room = pageBytes - shredder.sizeBytes();
      while (end - at > 1 && shredder.sizeBytes(at, end) > room) {
        end = at + (end - at) / 2;
      }
      shredder.append(at, end);
      at = end;
      if (shredder.sizeBytes() >= pageBytes / 8 * 7L) {
        pages.addAll(page());
      }
    }
    return pages;
  }

  @Override
  public List<ColumnPage> finish() {
    List<ColumnPage> pages = new ArrayList<>(ended);
    ended.clear();
    pages.addAll(page());
    return pages;
  }

  private List<ColumnPage> page() {
    if (shredder.levels().size() == 0) {
      return List.of();
    }
    List<ColumnPage> pages = new ArrayList<>();
    if (blobs) {
      pages.add(encoder.blobs(shredder.path(), shredder.levels(), shredder.values()));
    } else {
      for (EncodedPage page :
          encoder.encode(shredder.path(), shredder.levels(), shredder.values())) {
        pages.add(ColumnPage.of(0, page));
      }
    }
    shredder.clear();
    return pages;
  }
}
