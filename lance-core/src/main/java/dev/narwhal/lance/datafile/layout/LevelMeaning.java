package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.error.LanceFormatException;
import java.util.List;

/**
 * What the levels of a page mean, from its layers. Layers are counted from the leaf, lists from the
 * inside; L(i) is the number of lists among the layers up to and with i.
 *
 * <p>A definition level belongs to the layer that it makes null or empty; 0 belongs to the leaf. Of
 * a level with definition d of layer j and repetition r, layer i has a slot iff {@code L(j) <= L(i)
 * <= r}: further in, there is nothing below a null or empty list; further out, the slot is that of
 * an earlier level. The slot is null iff d is no less than the first level of layer i, save for the
 * level of an empty list. The list i has an item iff layer i - 1 has a slot.
 *
 * <p>Immutable. Source: file format sheet 3.3 to 3.7.
 */
final class LevelMeaning {
  /** The layer has a slot. */
  static final int SLOT = 1;

  /** The slot is not null. */
  static final int VALID = 2;

  /** The list that the slot is has an item. */
  static final int ITEM = 4;

  private final List<Layer> layers;
  private final int[] firstLevels;
  private final int[] lists;
  private final byte[] listsOfLevel;
  private final byte[][] meanings;

  private LevelMeaning(List<Layer> layers, int[] firstLevels, int[] lists, byte[] listsOfLevel) {
    this.layers = layers;
    this.firstLevels = firstLevels;
    this.lists = lists;
    this.listsOfLevel = listsOfLevel;
    this.meanings = new byte[lists.length][];
    for (int layer = 0; layer < lists.length; layer++) {
      meanings[layer] = meaningsFor(layer);
    }
  }

  /**
   * @param layers of the page
   * @param path of the leaf in the schema, which the layers must follow
   */
  static LevelMeaning of(List<Layer> layers, LeafPath path) {
    if (layers.size() != path.length()) {
      throw new LanceFormatException(
          "layers " + layers + ", the schema has " + path.length() + " fields from leaf to root");
    }
    int[] firstLevels = new int[layers.size()];
    int[] lists = new int[layers.size()];
    int level = 1;
    int list = 0;
    for (int i = 0; i < lists.length; i++) {
      if (layers.get(i).isList() != path.isList(i)) {
        throw new LanceFormatException(
            "layers " + layers + ", but number " + i + " from the leaf is a " + path.describe(i));
      }
      list += layers.get(i).isList() ? 1 : 0;
      firstLevels[i] = level;
      lists[i] = list;
      level += layers.get(i).levels();
    }
    byte[] listsOfLevel = new byte[level];
    for (int i = 0; i < lists.length; i++) {
      for (int k = 0; k < layers.get(i).levels(); k++) {
        listsOfLevel[firstLevels[i] + k] = (byte) lists[i];
      }
    }
    return new LevelMeaning(layers, firstLevels, lists, listsOfLevel);
  }

  /** Highest repetition level, which starts a row: the number of lists. */
  int maxRepetition() {
    return lists[lists.length - 1];
  }

  int maxDefinition() {
    return listsOfLevel.length - 1;
  }

  /** Whether the leaf itself can be null. */
  boolean hasLeafNulls() {
    return layers.get(0).levels() > 0;
  }

  /** Highest definition level that leaves a value slot. */
  int maxVisible() {
    int level = 0;
    while (level + 1 < listsOfLevel.length && listsOfLevel[level + 1] == 0) {
      level++;
    }
    return level;
  }

  /** L(j) for the layer j of each definition level. Not to be changed. */
  byte[] listsOfLevel() {
    return listsOfLevel;
  }

  /** L(layer). */
  int lists(int layer) {
    return lists[layer];
  }

  /**
   * For each definition level, what it says of a layer: SLOT, VALID and ITEM together. Not to be
   * changed.
   */
  byte[] meanings(int layer) {
    return meanings[layer];
  }

  private byte[] meaningsFor(int layer) {
    byte[] ofLayer = new byte[listsOfLevel.length];
    int first = firstLevels[layer];
    int empty =
        switch (layers.get(layer)) {
          case EMPTYABLE_LIST -> first;
          case NULL_AND_EMPTY_LIST -> first + 1;
          case ALL_VALID_ITEM, ALL_VALID_LIST, NULLABLE_ITEM, NULLABLE_LIST -> -1;
        };
    for (int d = 0; d < ofLayer.length; d++) {
      if (listsOfLevel[d] <= lists[layer]) {
        boolean valid = d < first || d == empty;
        boolean item = layers.get(layer).isList() && listsOfLevel[d] < lists[layer];
        ofLayer[d] = (byte) (SLOT | (valid ? VALID : 0) | (item ? ITEM : 0));
      }
    }
    return ofLayer;
  }
}
