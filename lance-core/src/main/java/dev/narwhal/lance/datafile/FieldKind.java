package dev.narwhal.lance.datafile;

import dev.narwhal.lance.schema.FieldTree;

/**
 * How a field is stored, as far as its place in the schema tells. Source: file format sheet 1.8.
 */
enum FieldKind {
  /** Values in one column. */
  LEAF,
  /** Values elsewhere, one column of positions. */
  BLOB,
  /** Children side by side in one column. */
  PACKED_STRUCT,
  /** Indices into values, in one column. */
  DICTIONARY,
  /** Children with columns of their own. */
  TREE;

  static FieldKind of(FieldTree tree) {
    if (tree.field().isBlob()) {
      return BLOB;
    }
    if (tree.field().isPacked()) {
      return PACKED_STRUCT;
    }
    if (tree.field().isDictionary()) {
      return DICTIONARY;
    }
    return tree.isLeaf() && !tree.field().logicalType().equals("struct") ? LEAF : TREE;
  }
}
