package dev.narwhal.lance.predicate;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Functions on values of any type. */
final class GeneralFunctions {
  private GeneralFunctions() {}

  /** The first that is not null. */
  static @Nullable Object coalesce(@Nullable Object[] a) {
    for (Object value : a) {
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  static @Nullable Object nullIf(@Nullable Object[] a) {
    Object value = a[0];
    Object other = a[1];
    boolean equal = value != null && other != null && compare(value, other) == 0;
    return equal ? null : value;
  }

  /** Leaves out nulls. */
  static @Nullable Object greatest(@Nullable Object[] a) {
    return extreme(a, 1);
  }

  /** Leaves out nulls. */
  static @Nullable Object least(@Nullable Object[] a) {
    return extreme(a, -1);
  }

  private static @Nullable Object extreme(@Nullable Object[] a, int sign) {
    Object best = null;
    for (Object value : a) {
      if (value != null && (best == null || sign * compare(value, best) > 0)) {
        best = value;
      }
    }
    return best;
  }

  /** Two values of one class, as a comparison orders them. */
  static int compare(Object a, Object b) {
    if (a instanceof String x) {
      return Arrays.compareUnsigned(utf8(x), utf8((String) b));
    }
    if (a instanceof ByteBuffer x) {
      return Arrays.compareUnsigned(bytes(x), bytes((ByteBuffer) b));
    }
    if (a instanceof Double x) {
      return Long.compare(TotalOrder.key(x), TotalOrder.key((double) b));
    }
    if (a instanceof Long x) {
      return Long.compare(x, (long) b);
    }
    if (a instanceof Boolean x) {
      return Boolean.compare(x, (boolean) b);
    }
    return ((BigDecimal) a).compareTo((BigDecimal) b);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] bytes(ByteBuffer buffer) {
    byte[] copy = new byte[buffer.remaining()];
    buffer.duplicate().get(copy);
    return copy;
  }
}
