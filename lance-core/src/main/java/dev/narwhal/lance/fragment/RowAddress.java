package dev.narwhal.lance.fragment;

/**
 * Row addresses: the fragment id in the upper 32 bits, the row offset in the lower. A u64 in a
 * {@code long}; with all bits set it is the tombstone, no row's address. Source: table format sheet
 * 10.1.
 */
public final class RowAddress {
  /** The address of no row. */
  public static final long TOMBSTONE = -1L;

  private static final long MAX_U32 = 0xFFFF_FFFFL;

  private RowAddress() {}

  /**
   * The address of a row.
   *
   * @param fragmentId in {@code [0, 2^32)}
   * @param offset of the row in its fragment, deleted rows counted, in {@code [0, 2^32)}
   */
  public static long of(long fragmentId, long offset) {
    if ((fragmentId & ~MAX_U32) != 0) {
      throw new IllegalArgumentException("fragment id must be in [0, 2^32): " + fragmentId);
    }
    if ((offset & ~MAX_U32) != 0) {
      throw new IllegalArgumentException("row offset must be in [0, 2^32): " + offset);
    }
    return fragmentId << 32 | offset;
  }

  /** In {@code [0, 2^32)}. */
  public static long fragmentId(long address) {
    return address >>> 32;
  }

  /** In {@code [0, 2^32)}. */
  public static long offset(long address) {
    return address & MAX_U32;
  }
}
