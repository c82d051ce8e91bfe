package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fixed-size lists: value i is the items {@code [i * dimension, (i + 1) * dimension)}. */
public final class ListValues implements Values {
  private final int dimension;
  private final Values items;
  private final @Nullable ByteBuffer itemValidity;
  private final int count;

  /** Lists whose items are all valid. */
  public ListValues(int dimension, Values items, int count) {
    this(dimension, items, null, count);
  }

  /**
   * @param itemValidity one bit per item, LSB first, 1 = valid, from its position on
   */
  public ListValues(int dimension, Values items, @Nullable ByteBuffer itemValidity, int count) {
    long needed = (long) count * dimension;
    if (needed > items.count()) {
      throw new LanceFormatException(
          items.count() + " items for " + count + " lists of " + dimension);
    }
    if (itemValidity != null && needed > 8L * itemValidity.remaining()) {
      throw new LanceFormatException(
          itemValidity.remaining() + " bytes for the validity of " + needed + " items");
    }
    this.dimension = dimension;
    this.items = items;
    this.itemValidity =
        itemValidity == null ? null : itemValidity.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.count = count;
  }

  @Override
  public int count() {
    return count;
  }

  public int dimension() {
    return dimension;
  }

  public Values items() {
    return items;
  }

  /** One bit per item, LSB first, 1 = valid; empty when all items are valid. */
  public Optional<ByteBuffer> itemValidity() {
    return Optional.ofNullable(itemValidity);
  }
}
