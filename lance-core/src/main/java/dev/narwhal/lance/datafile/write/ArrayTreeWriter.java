package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.ColumnMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/**
 * The columns of a top-level field in 2.0. All of them end their pages together, since items of a
 * list must not share a page with items of a list in another page. Source: file format sheet 2.
 */
final class ArrayTreeWriter implements FieldWriter {
  private final ArrayNodeWriter root;
  private final int columns;
  private final Set<Integer> blobs;
  private final int pageBytes;
  private final List<ColumnPage> ended = new ArrayList<>();

  /**
   * @param blobs the columns that hold where their values are
   */
  ArrayTreeWriter(ArrayNodeWriter root, int columns, Set<Integer> blobs, int pageBytes) {
    this.root = root;
    this.columns = columns;
    this.blobs = Set.copyOf(blobs);
    this.pageBytes = pageBytes;
  }

  @Override
  public int columns() {
    return columns;
  }

  @Override
  public ColumnMetadata.Kind kind(int column) {
    return blobs.contains(column) ? ColumnMetadata.Kind.BLOB : ColumnMetadata.Kind.VALUES;
  }

  /** Pages of 2.0 do not say. */
  @Override
  public long priority(long pageRows) {
    return 0;
  }

  @Override
  public void bind(FieldVector vector, DictionaryProvider dictionaries, long row) {
    root.bind(vector, dictionaries);
    if (root.needsPage()) {
      root.endPages(ended);
      root.bind(vector, dictionaries);
    }
  }

  @Override
  public long sizeBytes(int from, int to) {
    return root.sizeBytes(from, to);
  }

  @Override
  public List<PageTask> append(int from, int to) {
    List<ColumnPage> pages = new ArrayList<>(ended);
    ended.clear();
    int at = from;
    while (at < to) {
      int end = to;
      long room = pageBytes - root.sizeBytes();
      while (end - at > 1 && root.sizeBytes(at, end) > room) {
        end = at + (end - at) / 2;
      }
      root.append(at, end);
      at = end;
      if (root.sizeBytes() >= pageBytes / 8 * 7L) {
        root.endPages(pages);
      }
    }
    return PageTask.done(pages);
  }

  @Override
  public List<PageTask> finish() {
    List<ColumnPage> pages = new ArrayList<>(ended);
    ended.clear();
    root.endPages(pages);
    root.finish(pages);
    return PageTask.done(pages);
  }
}
