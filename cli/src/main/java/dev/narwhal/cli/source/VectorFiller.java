package dev.narwhal.cli.source;

import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/** Java values, see {@link RowCursor}, into Arrow vectors, ascending. */
final class VectorFiller {
  private VectorFiller() {}

  /**
   * Sets a value.
   *
   * @throws BadValueException when the vector cannot hold it
   */
  static void set(FieldVector vector, int index, @Nullable Object value) {
    if (value == null) {
      setNull(vector, index);
    } else if (vector instanceof StructVector structs) {
      struct(structs, index, value);
    } else if (vector instanceof MapVector maps) {
      list(maps, index, value, "an array of {\"key\", \"value\"} objects");
    } else if (vector instanceof ListVector lists) {
      list(lists, index, value, "an array");
    } else if (vector instanceof LargeListVector lists) {
      list(lists, index, value);
    } else if (vector instanceof FixedSizeListVector lists) {
      fixedList(lists, index, value);
    } else if (vector instanceof NullVector) {
      throw BadValueException.of(value, "null");
    } else {
      ScalarFiller.set(vector, index, value);
    }
  }

  private static void setNull(FieldVector vector, int index) {
    if (!vector.getField().isNullable()) {
      throw new BadValueException("no value, but it cannot be null");
    }
    vector.setNull(index);
  }

  private static void struct(StructVector structs, int index, Object value) {
    if (!(value instanceof Map<?, ?> members)) {
      throw BadValueException.of(value, "an object");
    }
    structs.setIndexDefined(index);
    int known = 0;
    for (FieldVector member : structs.getChildrenFromFields()) {
      String name = member.getName();
      known += members.containsKey(name) ? 1 : 0;
      try {
        set(member, index, members.get(name));
      } catch (BadValueException e) {
        throw e.in(name);
      }
    }
    if (known < members.size()) {
      List<String> names = structs.getChildFieldNames();
      String unknown =
          members.keySet().stream()
              .map(String::valueOf)
              .filter(name -> !names.contains(name))
              .findFirst()
              .orElse("");
      throw new BadValueException("no member is called '" + unknown + "', there are " + names);
    }
  }

  private static void list(ListVector lists, int index, Object value, String expected) {
    List<?> items = items(value, expected);
    int start = lists.startNewValue(index);
    for (int i = 0; i < items.size(); i++) {
      set(lists.getDataVector(), start + i, items.get(i));
    }
    lists.endValue(index, items.size());
  }

  private static void list(LargeListVector lists, int index, Object value) {
    List<?> items = items(value, "an array");
    int start = Math.toIntExact(lists.startNewValue(index));
    for (int i = 0; i < items.size(); i++) {
      set(lists.getDataVector(), start + i, items.get(i));
    }
    lists.endValue(index, items.size());
  }

  private static void fixedList(FixedSizeListVector lists, int index, Object value) {
    int size = lists.getListSize();
    List<?> items = items(value, "an array of " + size);
    if (items.size() != size) {
      throw new BadValueException("an array of " + items.size() + ", expected one of " + size);
    }
    int start = lists.startNewValue(index);
    for (int i = 0; i < size; i++) {
      set(lists.getDataVector(), start + i, items.get(i));
    }
  }

  private static List<?> items(Object value, String expected) {
    if (value instanceof List<?> items) {
      return items;
    }
    throw BadValueException.of(value, expected);
  }
}
