package dev.narwhal.lance.predicate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decimals and lists. */
final class BoxedValues implements Values {
  private final @Nullable Object[] values;
  private final long[] valid;

  BoxedValues(@Nullable Object[] values) {
    this.values = values;
    this.valid = Values.present(values);
  }

  @Override
  public long[] valid() {
    return valid;
  }

  @Override
  public Object get(int row) {
    return Objects.requireNonNull(values[row]);
  }
}
