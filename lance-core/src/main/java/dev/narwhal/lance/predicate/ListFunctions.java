package dev.narwhal.lance.predicate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/** Functions on lists. */
final class ListFunctions {
  private ListFunctions() {}

  static Field itemField(ValueType type) {
    return new Field("item", new FieldType(true, type.arrow(), null), type.children());
  }

  private static List<?> list(@Nullable Object value) {
    return (List<?>) MathFunctions.present(value);
  }

  static Object of(@Nullable Object[] a) {
    List<Object> items = new ArrayList<>(a.length);
    for (Object item : a) {
      items.add(Optional.ofNullable(item));
    }
    return items;
  }

  static Object has(@Nullable Object[] a) {
    return list(a[0]).contains(Optional.of(MathFunctions.present(a[1])));
  }

  /** Nulls equal nulls, as in real Lance. */
  static Object hasAny(@Nullable Object[] a) {
    List<?> items = list(a[0]);
    for (Object wanted : list(a[1])) {
      if (items.contains(wanted)) {
        return true;
      }
    }
    return false;
  }

  /** True for no wanted items, even of a null list: real Lance folds that to TRUE. */
  static @Nullable Object hasAll(@Nullable Object[] a) {
    if (a[1] != null && list(a[1]).isEmpty()) {
      return true;
    }
    if (a[0] == null || a[1] == null) {
      return null;
    }
    return new HashSet<>(list(a[0])).containsAll(list(a[1]));
  }

  /** Of the first dimension, the only one that is supported. */
  static Object length(@Nullable Object[] a) {
    if (a.length == 2 && MathFunctions.integer(a[1]) != 1) {
      throw new IllegalArgumentException("array_length of dimension " + a[1] + ": 1 is supported");
    }
    return (long) list(a[0]).size();
  }

  /** Index of the first equal item, from 1; null if there is none. */
  static @Nullable Object position(@Nullable Object[] a) {
    int index = list(a[0]).indexOf(Optional.of(MathFunctions.present(a[1])));
    return index < 0 ? null : index + 1L;
  }

  /** The item at a position from 1, from the end if negative; null where there is none. */
  static @Nullable Object element(@Nullable Object[] a) {
    List<?> items = list(a[0]);
    long position = MathFunctions.integer(a[1]);
    long index = position > 0 ? position - 1 : items.size() + position;
    return index >= 0 && index < items.size()
        ? ((Optional<?>) items.get((int) index)).orElse(null)
        : null;
  }
}
