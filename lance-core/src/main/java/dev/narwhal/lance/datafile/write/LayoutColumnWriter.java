package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.ColumnMetadata;
import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.schema.LanceField;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/** A leaf column from 2.1 on. */
final class LayoutColumnWriter implements FieldWriter {
  private final String name;
  private final FileVersion version;
  private final EncodingHints hints;
  private final int pageBytes;
  private final boolean blobs;
  private final Shredder shredder;
  private final List<PageTask> ended = new ArrayList<>();

  /**
   * @param name of the column, for messages
   * @param field says how to encode, and whether the column holds its values, or where they are
   */
  LayoutColumnWriter(String name, LanceField field, WriterOptions options, Shredder shredder) {
    this.name = name;
    this.version = options.version();
    this.hints = EncodingHints.of(field);
    this.pageBytes = options.pageBytes();
    this.blobs = field.isBlob();
    this.shredder = shredder;
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
  public List<PageTask> append(int from, int to) {
    List<PageTask> pages = new ArrayList<>(ended);
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
  public List<PageTask> finish() {
    List<PageTask> pages = new ArrayList<>(ended);
    ended.clear();
    pages.addAll(page());
    return pages;
  }

  private List<PageTask> page() {
    if (shredder.levels().size() == 0) {
      return List.of();
    }
    long sizeBytes = shredder.sizeBytes();
    Shredder.Gathered gathered = shredder.take();
    return List.of(new PageTask(sizeBytes, () -> encode(gathered)));
  }

  private List<ColumnPage> encode(Shredder.Gathered gathered) {
    PageEncoder encoder = new PageEncoder(name, version, hints);
    if (blobs) {
      return List.of(encoder.blobs(gathered));
    }
    return encoder.encode(gathered).stream().map(page -> ColumnPage.of(0, page)).toList();
  }
}
