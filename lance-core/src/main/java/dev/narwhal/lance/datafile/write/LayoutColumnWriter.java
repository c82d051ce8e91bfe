package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.ColumnMetadata;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/** A leaf column from 2.1 on. */
final class LayoutColumnWriter implements ColumnWriter {
  private final Shredder shredder;
  private final PageEncoder encoder;
  private final int pageBytes;
  private final List<EncodedPage> ended = new ArrayList<>();

  LayoutColumnWriter(Shredder shredder, PageEncoder encoder, int pageBytes) {
    this.shredder = shredder;
    this.encoder = encoder;
    this.pageBytes = pageBytes;
  }

  @Override
  public int rowsPerRow() {
    return shredder.rowsPerRow();
  }

  @Override
  public ColumnMetadata.Kind kind() {
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
  public List<EncodedPage> append(int from, int to) {
    List<EncodedPage> pages = new ArrayList<>(ended);
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
      if (shredder.sizeBytes() >= pageBytes / 8 * 7) {
        pages.addAll(page());
      }
    }
    return pages;
  }

  @Override
  public List<EncodedPage> finish() {
    List<EncodedPage> pages = new ArrayList<>(ended);
    ended.clear();
    pages.addAll(page());
    return pages;
  }

  private List<EncodedPage> page() {
    if (shredder.levels().size() == 0) {
      return List.of();
    }
    List<EncodedPage> pages =
        encoder.encode(shredder.path(), shredder.levels(), shredder.values());
    shredder.clear();
    return pages;
  }
}
