package dev.narwhal.iceberg.mapping;

import java.util.List;

/** Encodes values of a column, or null, as {@link RowBytes}. For one thread. */
public final class ValueEncoder {
  /** Encodes a value that is there. */
  private interface Present {
    void encode(int row);
  }

  private final ColumnValues values;
  private final RowBytes out;
  private final Present present;

  private ValueEncoder(ColumnValues values, RowBytes out) {
    this.values = values;
    this.out = out;
    this.present = values.accept(new Shapes(out));
  }

  /**
   * An encoder for one column.
   *
   * @param values bound to each batch by the caller
   */
  public static ValueEncoder of(ColumnValues values, RowBytes out) {
    return new ValueEncoder(values, out);
  }

  /** Adds the value of a row of the bound batch to what is encoded. */
  public void encode(int row) {
    if (values.isNull(row)) {
      out.putNull();
    } else {
      present.encode(row);
    }
  }

  private record Shapes(RowBytes out) implements ColumnValues.Visitor<Present> {
    @Override
    public Present nulls(NullValues values) {
      return row -> out.putNull();
    }

    @Override
    public Present booleans(BooleanValues values) {
      return row -> out.put(values.get(row));
    }

    @Override
    public Present ints(IntValues values) {
      return row -> out.put(values.get(row));
    }

    @Override
    public Present longs(LongValues values) {
      return row -> out.put(values.get(row));
    }

    @Override
    public Present floats(FloatValues values) {
      return row -> out.put(values.get(row));
    }

    @Override
    public Present doubles(DoubleValues values) {
      return row -> out.put(values.get(row));
    }

    @Override
    public Present decimals(DecimalValues values) {
      return row -> {
        values.load(row);
        out.putDecimal(values.high(), values.low());
      };
    }

    @Override
    public Present bytes(BytesValues values) {
      return row -> {
        values.load(row);
        out.put(values.bytes(), 0, values.length());
      };
    }

    @Override
    public Present struct(StructValues values) {
      List<ValueEncoder> fields =
          values.fields().stream().map(field -> new ValueEncoder(field, out)).toList();
      return row -> {
        out.beginStruct();
        for (ValueEncoder field : fields) {
          field.encode(row);
        }
      };
    }

    @Override
    public Present list(ListValues values) {
      ValueEncoder elements = new ValueEncoder(values.elements(), out);
      return row -> {
        values.take(row);
        int end = values.end();
        out.beginList(end - values.start());
        for (int element = values.start(); element < end; element++) {
          elements.encode(element);
        }
      };
    }

    @Override
    public Present map(MapValues values) {
      ValueEncoder keys = new ValueEncoder(values.keys(), out);
      ValueEncoder mapped = new ValueEncoder(values.values(), out);
      MapEntries entries = new MapEntries(out);
      return row -> {
        values.take(row);
        int end = values.end();
        entries.begin(end - values.start());
        for (int entry = values.start(); entry < end; entry++) {
          entries.next();
          keys.encode(entry);
          mapped.encode(entry);
        }
        entries.end();
      };
    }
  }
}
