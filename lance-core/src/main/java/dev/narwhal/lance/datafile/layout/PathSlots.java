package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.layout.LeafPath.Step;
import dev.narwhal.lance.datafile.page.NodeSlots;
import dev.narwhal.lance.error.LanceFormatException;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Levels of a leaf column, unravelled into the slots of the nodes above the leaf. Levels come in
 * parts, in order. One thread. Source: file format sheet 3.7.
 */
final class PathSlots implements AutoCloseable {
  private final LeafPath path;

  /** For each layer but the leaf's, which has none here. */
  private final NodeSlots[] nodes;

  /** For each layer, how many slots of the levels are left of the last one of a fixed-size list. */
  private final int[] owed;

  /** L of the last level, which tells what the next may continue. */
  private int openBelow;

  /**
   * @param rows rows there is room for, about
   */
  PathSlots(LeafPath path, int rows, BufferAllocator allocator) {
    this.path = path;
    this.nodes = new NodeSlots[path.length() - 1];
    this.owed = new int[path.length()];
    try {
      for (int i = 0; i < nodes.length; i++) {
        nodes[i] =
            path.step(i + 1) instanceof Step.Lists lists
                ? NodeSlots.lists(rows, lists.offsetBits(), allocator)
                : NodeSlots.plain(rows, allocator);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * The slots of a node.
   *
   * @param layer from the leaf, at least 1
   */
  NodeSlots node(int layer) {
    return nodes[layer - 1];
  }

  /**
   * Appends the levels {@code [from, to)}.
   *
   * @param meaning of the levels in their page
   * @param repetition none above the page's maximum
   * @param definition none above the page's maximum
   * @throws LanceFormatException for a level that continues a list without items
   */
  void append(LevelMeaning meaning, short[] repetition, short[] definition, int from, int to) {
    check(meaning, repetition, definition, from, to);
    for (int layer = 1; layer < path.length(); layer++) {
      NodeSlots node = node(layer);
      node.reserve(to - from, to - from);
      byte[] meanings = meaning.meanings(layer);
      int lists = meaning.lists(layer);
      if (path.isList(layer)) {
        appendLists(node, meanings, lists, repetition, definition, from, to);
      } else if (path.stride(layer) > 1) {
        appendEvery(layer, meanings, lists, repetition, definition, from, to);
      } else {
        appendItems(node, meanings, lists, repetition, definition, from, to);
      }
    }
  }

  /**
   * A level with repetition r goes on in list r + 1, which must be open: neither null nor empty in
   * the level before; and what it says itself must be inside that list.
   */
  private void check(
      LevelMeaning meaning, short[] repetition, short[] definition, int from, int to) {
    byte[] lists = meaning.listsOfLevel();
    int open = openBelow;
    for (int i = from; i < to; i++) {
      int own = lists[definition[i]];
      int r = repetition[i];
      if (r < own || (r < open && r < meaning.maxRepetition())) {
        throw new LanceFormatException(
            "levels out of order: repetition "
                + r
                + " and definition "
                + definition[i]
                + " where "
                + Math.max(own, open)
                + " lists are closed");
      }
      open = own;
    }
    openBelow = open;
  }

  private static void appendItems(
      NodeSlots node,
      byte[] meanings,
      int lists,
      short[] repetition,
      short[] definition,
      int from,
      int to) {
    long word = 0;
    int bits = 0;
    for (int i = from; i < to; i++) {
      int meaning = meanings[definition[i]];
      if (meaning != 0 && repetition[i] >= lists) {
        word |= (long) (meaning & LevelMeaning.VALID) >>> 1 << bits;
        if (++bits == Long.SIZE) {
          node.append(word, bits);
          word = 0;
          bits = 0;
        }
      }
    }
    node.append(word, bits);
  }

  /** Items of fixed-size lists, or the lists: every so many slots of the levels are one. */
  private void appendEvery(
      int layer,
      byte[] meanings,
      int lists,
      short[] repetition,
      short[] definition,
      int from,
      int to) {
    NodeSlots node = node(layer);
    int stride = path.stride(layer);
    int skip = owed[layer];
    for (int i = from; i < to; i++) {
      int meaning = meanings[definition[i]];
      if (meaning != 0 && repetition[i] >= lists) {
        if (skip == 0) {
          node.append((meaning & LevelMeaning.VALID) >>> 1, 1);
          skip = stride;
        }
        skip--;
      }
    }
    owed[layer] = skip;
  }

  private static void appendLists(
      NodeSlots node,
      byte[] meanings,
      int lists,
      short[] repetition,
      short[] definition,
      int from,
      int to) {
    long word = 0;
    int bits = 0;
    int slot = node.count();
    int item = node.items();
    for (int i = from; i < to; i++) {
      int meaning = meanings[definition[i]];
      int r = repetition[i];
      if (meaning != 0 && r >= lists) {
        node.start(slot++, item);
        word |= (long) (meaning & LevelMeaning.VALID) >>> 1 << bits;
        if (++bits == Long.SIZE) {
          node.append(word, bits);
          word = 0;
          bits = 0;
        }
      }
      // an item also where the list goes on
      if ((meaning & LevelMeaning.ITEM) != 0 && r >= lists - 1) {
        item++;
      }
    }
    node.append(word, bits);
    node.endItems(item);
  }

  @Override
  public void close() {
    for (@Nullable NodeSlots node : nodes) {
      if (node != null) {
        node.close();
      }
    }
  }
}
