package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.PackedValues;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VariableValues;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Packed structs with fields of any width. A value is, for each field:
 *
 * <pre>
 * size      order   meaning
 * 0,4,8     LE      n = length, if the field has no fixed width
 * n         -       value
 * </pre>
 *
 * <p>The values of a field, together, are encoded by its own encoding. Source: file format sheet
 * 5.9.
 */
final class PackedZipValues implements ZipValues {
  private final List<Field> fields;

  private PackedZipValues(List<Field> fields) {
    this.fields = fields;
  }

  static PackedZipValues of(Encoding.VariablePackedStruct encoding, ValueShape.Packed shape) {
    if (encoding.fields().size() != shape.fields().size()) {
      throw new LanceFormatException(
          "packed structs of "
              + encoding.fields().size()
              + " fields, the type has "
              + shape.fields().size());
    }
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < encoding.fields().size(); i++) {
      fields.add(field(encoding.fields().get(i), shape.fields().get(i)));
    }
    return new PackedZipValues(List.copyOf(fields));
  }

  @Override
  public PackedValues decode(VariableValues zipped, short[] levels, Scratch scratch) {
    int count = zipped.count();
    Rows rows = new Rows(zipped, levels, scratch.ints(count));
    List<Values> columns = new ArrayList<>(fields.size());
    for (Field field : fields) {
      columns.add(field.decode(rows, scratch));
    }
    for (int i = 0; i < count; i++) {
      if (levels[i] == 0 && rows.cursors[i] != rows.end(i)) {
        throw new LanceFormatException(
            "packed struct of "
                + (rows.end(i) - rows.cursors[i])
                + " bytes more than its fields take");
      }
    }
    return new PackedValues(columns, count);
  }

  private static Field field(Encoding.PackedField field, ValueShape shape) {
    if (field.lengthBytes().isPresent()) {
      if (!(shape instanceof ValueShape.Variable)) {
        throw new LanceFormatException("packed byte strings for values of " + shape);
      }
      return new Strings(field.lengthBytes().getAsInt(), VariableZipValues.of(field.values()));
    }
    FixedZipValues values = FixedZipValues.of(field.values(), shape);
    int bytes = field.bytes().orElseThrow();
    if (values.widthBytes() != bytes) {
      throw new LanceFormatException(
          "packed field of " + bytes + " bytes, its values have " + values.widthBytes());
    }
    return new Fixed(values);
  }

  /** Where the next field of each row is. Rows whose level is not 0 have no bytes. */
  private static final class Rows {
    final VariableValues zipped;
    final short[] levels;
    final int[] cursors;

    Rows(VariableValues zipped, short[] levels, int[] cursors) {
      this.zipped = zipped;
      this.levels = levels;
      this.cursors = cursors;
      System.arraycopy(zipped.offsets(), 0, cursors, 0, zipped.count());
    }

    int end(int row) {
      return zipped.offsets()[row + 1];
    }

    /** Moves the cursor of a row. */
    int take(int row, long bytes) {
      int start = cursors[row];
      if (bytes < 0 || bytes > end(row) - start) {
        throw new LanceFormatException(
            "packed field of "
                + Long.toUnsignedString(bytes)
                + " bytes in a row that has "
                + (end(row) - start));
      }
      cursors[row] = start + (int) bytes;
      return start;
    }
  }

  private interface Field {
    Values decode(Rows rows, Scratch scratch);
  }

  private record Fixed(FixedZipValues values) implements Field {
    @Override
    public Values decode(Rows rows, Scratch scratch) {
      int width = values.widthBytes();
      int count = rows.zipped.count();
      if ((long) count * width > Integer.MAX_VALUE - 8) {
        throw new UnsupportedFeatureException(
            count + " packed fields of " + width + " bytes exceed 2 GiB: read smaller batches");
      }
      ByteBuffer bytes = rows.zipped.bytes();
      ByteBuffer column = scratch.bytes(count * width);
      for (int i = 0; i < count; i++) {
        if (rows.levels[i] == 0) {
          column.put(i * width, bytes, rows.take(i, width), width);
        } else {
          for (int at = i * width, end = at + width; at < end; at++) {
            column.put(at, (byte) 0);
          }
        }
      }
      return values.decode(column, count, scratch);
    }
  }

  private record Strings(int lengthBytes, VariableZipValues values) implements Field {
    @Override
    public Values decode(Rows rows, Scratch scratch) {
      int count = rows.zipped.count();
      ByteBuffer bytes = rows.zipped.bytes();
      int[] starts = scratch.ints(count);
      int[] offsets = scratch.ints(count + 1);
      offsets[0] = 0;
      for (int i = 0; i < count; i++) {
        int length = 0;
        if (rows.levels[i] == 0) {
          int at = rows.take(i, lengthBytes);
          long declared =
              lengthBytes == Integer.BYTES
                  ? Integer.toUnsignedLong(bytes.getInt(at))
                  : bytes.getLong(at);
          starts[i] = rows.take(i, declared);
          length = (int) declared;
        }
        offsets[i + 1] = offsets[i] + length;
      }
      ByteBuffer column = scratch.bytes(offsets[count]);
      for (int i = 0; i < count; i++) {
        int length = offsets[i + 1] - offsets[i];
        if (length > 0) {
          column.put(offsets[i], bytes, starts[i], length);
        }
      }
      return values.decode(new VariableValues(column, offsets, count), rows.levels, scratch);
    }
  }
}
