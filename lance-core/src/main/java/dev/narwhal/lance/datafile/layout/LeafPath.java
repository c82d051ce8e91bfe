package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.List;

/**
 * The fields from a leaf to the root of its tree, which the layers of its pages follow. Immutable.
 * Source: file format sheet 3.3.
 */
public final class LeafPath {
  /** A field on the path. */
  public sealed interface Step {
    /** The leaf, or a struct. */
    record Item() implements Step {}

    /**
     * A list or map.
     *
     * @param offsetBits of the Arrow vector, 32 or 64
     */
    record Lists(int offsetBits) implements Step {}

    /**
     * A fixed-size list that is a field of its own, of structs: its rows repeat, one for each item.
     *
     * @param dimension {@code >= 1}
     */
    record FixedLists(int dimension) implements Step {}
  }

  private final List<Step> steps;
  private final int[] strides;

  /**
   * @param steps from the leaf to the root
   * @throws UnsupportedFeatureException if a structural fixed-size list is in a list
   */
  public LeafPath(List<Step> steps) {
    this.steps = List.copyOf(steps);
    this.strides = new int[steps.size()];
    long stride = 1;
    for (int i = 0; i < strides.length; i++) {
      if (steps.get(i) instanceof Step.FixedLists lists) {
        stride *= lists.dimension();
        if (stride > Integer.MAX_VALUE) {
          throw new UnsupportedFeatureException("fixed-size lists of " + stride + " items");
        }
      } else if (stride > 1 && steps.get(i) instanceof Step.Lists) {
        throw new UnsupportedFeatureException("fixed-size lists of structs in lists");
      }
      strides[i] = (int) stride;
    }
  }

  public int length() {
    return steps.size();
  }

  public Step step(int layer) {
    return steps.get(layer);
  }

  boolean isList(int layer) {
    return steps.get(layer) instanceof Step.Lists;
  }

  String describe(int layer) {
    Step step = steps.get(layer);
    return step instanceof Step.Lists
        ? "list"
        : step instanceof Step.FixedLists ? "fixed-size list" : "struct or leaf";
  }

  /** How many slots of the levels are one of this layer. */
  int stride(int layer) {
    return strides[layer];
  }

  /** Page rows that are one row of the tree. */
  public int rowsPerRow() {
    return strides[strides.length - 1];
  }
}
