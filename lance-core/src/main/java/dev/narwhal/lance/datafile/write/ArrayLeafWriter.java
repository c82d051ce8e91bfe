package dev.narwhal.lance.datafile.write;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.jspecify.annotations.Nullable;

/** A column of values of 2.0. Source: file format sheet 2.1, 2.2. */
final class ArrayLeafWriter implements ArrayNodeWriter {
  private final int column;
  private final PathNode node;
  private final LeafValues values;
  private final ArrayPageEncoder encoder;
  private final boolean blobs;
  private final BitBuffer valid = new BitBuffer();
  private byte @Nullable [] validity;
  private boolean allNull;
  private boolean otherDictionary;

  /**
   * @param blobs whether the column holds where its values are
   */
  ArrayLeafWriter(
      int column, PathNode node, LeafValues values, ArrayPageEncoder encoder, boolean blobs) {
    this.column = column;
    this.node = node;
    this.values = values;
    this.encoder = encoder;
    this.blobs = blobs;
  }

  @Override
  public void bind(FieldVector vector, DictionaryProvider dictionaries) {
    validity = Source.validity(vector);
    allNull = vector instanceof NullVector;
    values.bind(vector);
    if (values instanceof DictionaryLeaf indices) {
      otherDictionary = indices.changesDictionary(vector, dictionaries);
      if (otherDictionary && valid.size() == 0) {
        indices.bindDictionary(vector, dictionaries);
        otherDictionary = false;
      }
    }
  }

  @Override
  public boolean needsPage() {
    return otherDictionary;
  }

  @Override
  public void append(int from, int to) {
    values.append(from, to);
    byte[] bits = validity;
    if (bits == null) {
      valid.fill(!allNull, to - from);
      return;
    }
    int before = valid.size() - valid.ones();
    valid.append(bits, from, to);
    if (valid.size() - valid.ones() > before) {
      node.requireNullable();
    }
  }

  @Override
  public long sizeBytes() {
    return values.sizeBytes() + valid.size() / 8;
  }

  @Override
  public long sizeBytes(int from, int to) {
    return values.sizeBytes(from, to) + (to - from) / 8;
  }

  @Override
  public void endPages(List<ColumnPage> target) {
    if (valid.size() > 0) {
      target.add(
          blobs
              ? BlobPages.array(column, (VariableLeaf) values, valid)
              : ColumnPage.of(column, encoder.encode(values, valid)));
    }
    values.clear();
    valid.clear();
  }

  @Override
  public void finish(List<ColumnPage> target) {
    // all its pages are ended
  }
}
