package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.blob.BlobReader;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** A field of a tree from 2.1 on, and where its slots come from. */
sealed interface TreeNode {
  /** Values of its own. {@code column} is the number of its column among those of the tree. */
  record Leaf(int column) implements TreeNode {}

  /**
   * Descriptors of blobs.
   *
   * @param struct whether they are structs of their own over the column's leaf
   * @param descriptors the Arrow field of one
   */
  record Blob(int column, boolean struct, Field descriptors) implements TreeNode {}

  /** Bytes of blobs. */
  record BlobBytes(Blob places, BlobReader reader) implements TreeNode {}

  /**
   * A struct without children, or over such only: always valid. Its column tells nothing, not even
   * what is null above it.
   */
  record EmptyStruct(List<TreeNode> children) implements TreeNode {
    public EmptyStruct {
      children = List.copyOf(children);
    }
  }

  /** A field that the file does not hold: nulls. */
  record Absent() implements TreeNode {}

  /**
   * A field over others. Every column below it knows its slots, and all must agree.
   *
   * @param kind how slots become slots of the children
   * @param dimension items of a fixed-size list; 1 for others
   * @param depth 0 for the root
   * @param columns all columns below it, at least one
   */
  record Branch(Kind kind, int dimension, int depth, List<Integer> columns, List<TreeNode> children)
      implements TreeNode {
    public Branch {
      columns = List.copyOf(columns);
      children = List.copyOf(children);
    }
  }

  /** What a branch is. */
  enum Kind {
    STRUCT,
    LIST,
    FIXED_LIST
  }
}
