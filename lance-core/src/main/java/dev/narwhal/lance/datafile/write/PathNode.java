package dev.narwhal.lance.datafile.write;

/**
 * A field on the way from the root of a tree to a leaf.
 *
 * @param name with those of the fields above it, joined by dots, for messages
 * @param child index of the next field on the path among the children; 0 for a leaf
 * @param dimension of fixed-size lists; 1 for others
 */
record PathNode(Kind kind, String name, boolean nullable, int child, int dimension) {
  enum Kind {
    /** The values. */
    LEAF,
    /** A leaf of the null type: all its slots are null. */
    NULLS,
    STRUCT,
    /** Lists, large lists and maps. */
    LIST,
    /** Fixed-size lists of structs: a list layer of their own they are not. */
    FIXED_LIST
  }

  boolean isList() {
    return kind == Kind.LIST;
  }

  /** Definition codes that it takes: null, and for lists empty. */
  int codes() {
    return isList() ? 2 : 1;
  }

  /** Refuses a null, which the field has, unless it may. */
  void requireNullable() {
    if (!nullable) {
      throw new IllegalArgumentException(
          "column '" + name + "': a null, but the field is not nullable");
    }
  }
}
