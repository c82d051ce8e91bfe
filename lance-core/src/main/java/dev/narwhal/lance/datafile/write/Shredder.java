package dev.narwhal.lance.datafile.write;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * Takes the vectors from the root of a tree to one of its leaves apart: into repetition levels,
 * definition codes and values. Source: file format sheet 3.3 to 3.6.
 *
 * <p>Codes are numbered from the leaf outwards: 0 is a valid leaf, then each field has one for null
 * and lists a second one for empty. A list or what is in it that is not there takes one level
 * without a value; a null struct without lists below it takes one with a value. Rows of a
 * fixed-size list of structs are as many rows of the page as it has items. One thread.
 */
final class Shredder {
  private final List<PathNode> path;
  private final int leaf;
  private final LevelBuffer levels;
  private final LeafValues values;

  /** Per node: the code of its null. */
  private final int[] nullCodes;

  /** Per node: the repetition level of a slot that continues the list that the node is in. */
  private final int[] continues;

  /** Per node: levels that one null slot takes. */
  private final int[] multiples;

  private final byte[] @Nullable [] validity;
  private final int[] @Nullable [] offsets;
  private @Nullable FieldVector leafVector;
  private long batchRow;
  private int pendingFrom;
  private int pendingTo;

  /**
   * @param path from root to leaf
   * @param values of the leaf; empty
   */
  Shredder(List<PathNode> path, LeafValues values) {
    this.path = List.copyOf(path);
    this.values = values;
    int nodes = path.size();
    leaf = nodes - 1;
    nullCodes = new int[nodes];
    continues = new int[nodes];
    multiples = new int[nodes];
    validity = new byte[nodes][];
    offsets = new int[nodes][];
    int code = 1;
    int lists = 0;
    int multiple = 1;
    for (int i = leaf; i >= 0; i--) {
      PathNode node = path.get(i);
      nullCodes[i] = code;
      code += node.codes();
      lists += node.isList() ? 1 : 0;
      continues[i] = lists;
      multiple = Math.multiplyExact(multiple, node.dimension());
      multiples[i] = multiple;
    }
    levels = new LevelBuffer(lists > 0, code);
  }

  List<PathNode> path() {
    return path;
  }

  LevelBuffer levels() {
    return levels;
  }

  LeafValues values() {
    return values;
  }

  /** Page rows that are one row of the table: more than one below fixed-size lists of structs. */
  int rowsPerRow() {
    return multiples[0];
  }

  /**
   * The vector that the next rows come from.
   *
   * @param row of the file that is the vector's first, for messages
   */
  void bind(FieldVector root, long row) {
    batchRow = row;
    FieldVector vector = root;
    for (int i = 0; i <= leaf; i++) {
      PathNode node = path.get(i);
      validity[i] = Source.validity(vector);
      offsets[i] = node.isList() ? Source.offsets(vector) : null;
      if (i < leaf) {
        vector = vector.getChildrenFromFields().get(node.child());
      }
    }
    values.bind(vector);
    leafVector = vector;
  }

  /** The vector of the leaf below the one that was bound last. */
  FieldVector leafVector() {
    return requireNonNull(leafVector, "no vector is bound");
  }

  /** Bytes that rows {@code [from, to)} would add; levels are counted as if all were there. */
  long sizeBytes(int from, int to) {
    int start = from;
    int end = to;
    for (int i = 0; i < leaf; i++) {
      int[] lists = offsets[i];
      if (lists != null) {
        start = lists[start];
        end = lists[end];
      } else {
        start = Math.multiplyExact(start, path.get(i).dimension());
        end = Math.multiplyExact(end, path.get(i).dimension());
      }
    }
    long levelBytes = continues[0] == 0 ? 0 : 4L * (end - start) + 4L * (to - from);
    return values.sizeBytes(start, end) + levelBytes;
  }

  /** Bytes gathered so far. */
  long sizeBytes() {
    return values.sizeBytes() + levels.sizeBytes();
  }

  /** Appends rows {@code [from, to)} of the vector. */
  void append(int from, int to) {
    pendingFrom = 0;
    pendingTo = 0;
    emit(0, from, to, continues[0]);
    flush();
  }

  /** Gives all that was gathered away, and is empty after that, still bound. */
  Gathered take() {
    return new Gathered(path, levels.take(), values.take());
  }

  /**
   * What a page is made of, in memory of its own.
   *
   * @param levels of at least one row
   */
  record Gathered(List<PathNode> path, LevelBuffer levels, LeafValues values) {}

  private void emit(int index, int from, int to, int repetition) {
    switch (path.get(index).kind()) {
      case LEAF, NULLS -> leaf(from, to, repetition);
      case STRUCT, FIXED_LIST -> items(index, from, to, repetition);
      case LIST -> lists(index, from, to, repetition);
    }
  }

  /** Structs, and fixed-size lists of them. */
  private void items(int index, int from, int to, int repetition) {
    int dimension = path.get(index).dimension();
    byte[] valid = validity[index];
    if (valid == null) {
      if (from < to) {
        emit(index + 1, from * dimension, to * dimension, repetition);
      }
      return;
    }
    int next = repetition;
    int at = from;
    while (at < to) {
      int start = at;
      if (BitBuffer.bit(valid, at)) {
        while (at < to && BitBuffer.bit(valid, at)) {
          at++;
        }
        emit(index + 1, start * dimension, at * dimension, next);
      } else {
        missing(index, at++, next, nullCodes[index]);
      }
      next = continues[index];
    }
  }

  private void lists(int index, int from, int to, int repetition) {
    byte[] valid = validity[index];
    int[] ends = offsets[index];
    int next = repetition;
    for (int at = from; at < to; at++) {
      if (valid != null && !BitBuffer.bit(valid, at)) {
        missing(index, at, next, nullCodes[index]);
      } else if (ends[at] == ends[at + 1]) {
        levels.add(next, nullCodes[index] + 1);
      } else if (index + 1 == leaf) {
        leaf(ends[at], ends[at + 1], next);
      } else {
        emit(index + 1, ends[at], ends[at + 1], next);
      }
      next = continues[index];
    }
  }

  /** A null struct or list; those that have values below them all the same get them. */
  private void missing(int index, int slot, int repetition, int code) {
    requireNullable(index, slot);
    int count = multiples[index];
    for (int i = 0; i < count; i++) {
      levels.add(i == 0 ? repetition : continues[index], code);
    }
    if (continues[index] == 0) {
      flush();
      values.appendNulls(count);
    }
  }

  private void leaf(int from, int to, int repetition) {
    byte[] valid = validity[leaf];
    if (path.get(leaf).kind() == PathNode.Kind.NULLS) {
      for (int i = from; i < to; i++) {
        levels.add(i == from ? repetition : 0, nullCodes[leaf]);
      }
    } else if (valid == null) {
      levels.addValid(repetition, to - from);
    } else {
      if (!path.get(leaf).nullable()) {
        requireValid(valid, from, to);
      }
      levels.addNullable(repetition, valid, from, to);
    }
    if (from != pendingTo) {
      flush();
      pendingFrom = from;
    }
    pendingTo = to;
  }

  /** Values of many lists that lie side by side are copied at once. */
  private void flush() {
    if (pendingFrom < pendingTo) {
      values.append(pendingFrom, pendingTo);
    }
    pendingFrom = pendingTo;
  }

  private void requireValid(byte[] valid, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!BitBuffer.bit(valid, i)) {
        requireNullable(leaf, i);
      }
    }
  }

  private void requireNullable(int index, int slot) {
    PathNode node = path.get(index);
    if (!node.nullable()) {
      boolean rows = index == 0 || continues[index] == continues[0];
      throw new IllegalArgumentException(
          "column '%s', %s %d: null, but the field is not nullable"
              .formatted(node.name(), rows ? "row" : "item", rows ? batchRow + slot : slot));
    }
  }
}
