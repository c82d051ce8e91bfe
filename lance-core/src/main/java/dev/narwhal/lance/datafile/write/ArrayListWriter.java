package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.array.ArrayNode;
import dev.narwhal.lance.datafile.array.ArrayNodeCodec;
import dev.narwhal.lance.datafile.codec.GrowingBytes;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.jspecify.annotations.Nullable;

/**
 * Lists of 2.0: a column of 64-bit ends of lists, from the start of the page, and the items. A null
 * list has more than all items of the page added to its end. Source: file format sheet 2.3.
 */
final class ArrayListWriter implements ArrayNodeWriter {
  private final int column;
  private final PathNode node;
  private final ArrayNodeWriter items;
  private final GrowingBytes ends = new GrowingBytes();
  private final BitBuffer valid = new BitBuffer();
  private int[] offsets = new int[1];
  private byte @Nullable [] validity;
  private long pageItems;

  ArrayListWriter(int column, PathNode node, ArrayNodeWriter items) {
    this.column = column;
    this.node = node;
    this.items = items;
  }

  @Override
  public void bind(FieldVector vector, DictionaryProvider dictionaries) {
    offsets = Source.offsets(vector);
    validity = Source.validity(vector);
    items.bind(vector.getChildrenFromFields().get(0), dictionaries);
  }

  @Override
  public boolean needsPage() {
    return items.needsPage();
  }

  @Override
  public void append(int from, int to) {
    // items of lists that lie side by side are appended at once
    int start = offsets[from];
    for (int i = from; i < to; i++) {
      boolean isValid = validity == null || BitBuffer.bit(validity, i);
      if (isValid) {
        pageItems += offsets[i + 1] - offsets[i];
      } else {
        node.requireNullable();
        items.append(start, offsets[i]);
        start = offsets[i + 1];
      }
      ends.putLong(pageItems);
      valid.add(isValid);
    }
    items.append(start, offsets[to]);
  }

  @Override
  public long sizeBytes() {
    return Math.max(ends.size(), items.sizeBytes());
  }

  @Override
  public long sizeBytes(int from, int to) {
    return Math.max((long) Long.BYTES * (to - from), items.sizeBytes(offsets[from], offsets[to]));
  }

  @Override
  public void endPages(List<ColumnPage> target) {
    int lists = valid.size();
    if (lists > 0) {
      long adjustment = pageItems + 1;
      GrowingBytes raw = new GrowingBytes(ends.size());
      for (int i = 0; i < lists; i++) {
        raw.putLong(ends.longAt(i * Long.BYTES) + (valid.get(i) ? 0 : adjustment));
      }
      ArrayNode flat = new ArrayNode.Flat(Long.SIZE, 0, Optional.empty());
      ArrayNode list =
          new ArrayNode.ListOffsets(new ArrayNode.NoNulls(flat), adjustment, pageItems);
      EncodedPage page = new EncodedPage(lists, ArrayNodeCodec.encode(list), List.of(raw.view()));
      target.add(ColumnPage.of(column, page));
    }
    items.endPages(target);
    ends.clear();
    valid.clear();
    pageItems = 0;
  }

  @Override
  public void finish(List<ColumnPage> target) {
    items.finish(target);
  }
}
