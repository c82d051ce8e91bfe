package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.layout.Layer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The levels of one page, as they are written: layers say only what occurs in the page. Immutable;
 * arrays are not to be changed. Source: file format sheet 3.3 to 3.6.
 */
final class PageLevels {
  private final List<Layer> layers;
  private final int count;
  private final short @Nullable [] repetition;
  private final short @Nullable [] definition;
  private final int maxRepetition;
  private final int maxDefinition;
  private final int maxVisible;

  private PageLevels(
      List<Layer> layers, int count, short @Nullable [] repetition, short @Nullable [] definition) {
    this.layers = List.copyOf(layers);
    this.count = count;
    this.repetition = repetition;
    this.definition = definition;
    int lists = 0;
    int levels = 0;
    int visible = 0;
    for (Layer layer : layers) {
      lists += layer.isList() ? 1 : 0;
      levels += layer.levels();
      visible = lists == 0 ? levels : visible;
    }
    this.maxRepetition = lists;
    this.maxDefinition = levels;
    this.maxVisible = visible;
  }

  /**
   * The levels that were gathered.
   *
   * @param path from root to leaf
   */
  static PageLevels of(List<PathNode> path, LevelBuffer levels) {
    List<Layer> layers = new ArrayList<>();
    short[] numbers = new short[codes(path)];
    int code = 1;
    int next = 1;
    for (int i = path.size() - 1; i >= 0; i--) {
      PathNode node = path.get(i);
      boolean leaf = i == path.size() - 1;
      boolean nulls = levels.count(code) > 0 || (!leaf && isBelowNullStruct(path, i, levels));
      boolean empty = node.isList() && levels.count(code + 1) > 0;
      layers.add(layer(node, nulls, empty));
      numbers[code] = (short) (nulls ? next++ : 0);
      if (node.isList()) {
        numbers[code + 1] = (short) (empty ? next++ : 0);
      }
      code += node.codes();
    }
    int count = levels.size();
    boolean lists = path.stream().anyMatch(PathNode::isList);
    short[] definition = null;
    if (next > 1) {
      definition = new short[count];
      for (int i = 0; i < count; i++) {
        definition[i] = numbers[levels.code(i)];
      }
    }
    return new PageLevels(
        layers, count, lists ? Arrays.copyOf(levels.repetition(), count) : null, definition);
  }

  /** Levels of values outside of any other field. */
  static PageLevels flat(BitBuffer valid) {
    short[] definition = null;
    if (!valid.allOnes()) {
      definition = new short[valid.size()];
      for (int i = 0; i < definition.length; i++) {
        definition[i] = (short) (valid.get(i) ? 0 : 1);
      }
    }
    Layer layer = definition == null ? Layer.ALL_VALID_ITEM : Layer.NULLABLE_ITEM;
    return new PageLevels(List.of(layer), valid.size(), null, definition);
  }

  private static int codes(List<PathNode> path) {
    return 1 + path.stream().mapToInt(PathNode::codes).sum();
  }

  /**
   * Whether structs around a struct or list, up to the next list, are null somewhere. Real Lance
   * takes what is in them for null too: without nulls in its layer, a list ends the process, and a
   * struct cannot be read when its fields have no nulls.
   */
  private static boolean isBelowNullStruct(List<PathNode> path, int node, LevelBuffer levels) {
    int code = 1;
    for (int i = path.size() - 1; i >= node; i--) {
      code += path.get(i).codes();
    }
    for (int i = node - 1; i >= 0 && !path.get(i).isList(); i--) {
      if (levels.count(code) > 0) {
        return true;
      }
      code += path.get(i).codes();
    }
    return false;
  }

  private static Layer layer(PathNode node, boolean nulls, boolean empty) {
    if (!node.isList()) {
      return nulls ? Layer.NULLABLE_ITEM : Layer.ALL_VALID_ITEM;
    }
    if (empty) {
      return nulls ? Layer.NULL_AND_EMPTY_LIST : Layer.EMPTYABLE_LIST;
    }
    return nulls ? Layer.NULLABLE_LIST : Layer.ALL_VALID_LIST;
  }

  /** From the leaf to the root. */
  List<Layer> layers() {
    return layers;
  }

  /** Number of levels. */
  int count() {
    return count;
  }

  /** Repetition levels; null without lists. */
  short @Nullable [] repetition() {
    return repetition;
  }

  /** Definition levels; null when no layer has any. */
  short @Nullable [] definition() {
    return definition;
  }

  /** The level that starts a row; 0 without lists. */
  int maxRepetition() {
    return maxRepetition;
  }

  int maxDefinition() {
    return maxDefinition;
  }

  /** Whether some levels have no value. */
  boolean hasInvisible() {
    return maxDefinition > maxVisible;
  }

  boolean isVisible(int index) {
    return definition == null || definition[index] <= maxVisible;
  }

  boolean isValid(int index) {
    return definition == null || definition[index] == 0;
  }

  /** Whether a level is the first of a row. */
  boolean startsRow(int index) {
    return repetition == null || repetition[index] == maxRepetition;
  }

  /** Levels with a value that is not null. */
  int validCount() {
    if (definition == null) {
      return count;
    }
    int valid = 0;
    for (int i = 0; i < count; i++) {
      valid += definition[i] == 0 ? 1 : 0;
    }
    return valid;
  }

  /** Levels with a value slot. */
  int visibleCount() {
    return visibleCount(0, count);
  }

  /** The same of levels {@code [from, to)}. */
  int visibleCount(int from, int to) {
    if (definition == null || !hasInvisible()) {
      return to - from;
    }
    int visible = 0;
    for (int i = from; i < to; i++) {
      visible += definition[i] <= maxVisible ? 1 : 0;
    }
    return visible;
  }

  /** Rows of the page. */
  int rows() {
    if (repetition == null) {
      return count;
    }
    int rows = 0;
    for (int i = 0; i < count; i++) {
      rows += repetition[i] == maxRepetition ? 1 : 0;
    }
    return rows;
  }

  /**
   * Whether real Lance 7.0.0 fails on a full-zip page of these layers: its reader counts the levels
   * of structs around lists among those with a value.
   */
  boolean breaksFullZip() {
    boolean below = false;
    for (Layer layer : layers) {
      if (below && !layer.isList() && layer.levels() > 0) {
        return true;
      }
      below |= layer.isList();
    }
    return false;
  }

  /**
   * The same for a full-zip page, where items in lists are always nullable: of items that are all
   * valid, real Lance 7.0.0 takes a wrong number as soon as a batch has a page with nulls beside
   * this one, and ends the process.
   */
  PageLevels forFullZip() {
    if (repetition == null) {
      return this;
    }
    List<Layer> wider = new ArrayList<>();
    short[] numbers = new short[maxDefinition + 1];
    int from = 1;
    int to = 1;
    boolean inList = true;
    for (Layer layer : layers) {
      inList &= !layer.isList();
      Layer widened = inList ? Layer.NULLABLE_ITEM : layer;
      wider.add(widened);
      for (int i = 0; i < layer.levels(); i++) {
        numbers[from++] = (short) (to + i);
      }
      to += widened.levels();
    }
    short[] renumbered = new short[count];
    for (int i = 0; i < count; i++) {
      renumbered[i] = definition == null ? 0 : numbers[definition[i]];
    }
    return new PageLevels(wider, count, repetition, renumbered);
  }

  /** The same levels, as those of a struct around values that are all valid. */
  PageLevels inStruct() {
    return new PageLevels(
        List.of(Layer.ALL_VALID_ITEM, layers.get(0)), count, repetition, definition);
  }

  /** As many items that are all valid. */
  PageLevels withoutLevels() {
    return new PageLevels(List.of(Layer.ALL_VALID_ITEM), count, null, null);
  }

  /** Levels {@code [from, to)}, which are whole rows, with the same layers. */
  PageLevels slice(int from, int to) {
    return new PageLevels(
        layers,
        to - from,
        repetition == null ? null : Arrays.copyOfRange(repetition, from, to),
        definition == null ? null : Arrays.copyOfRange(definition, from, to));
  }
}
