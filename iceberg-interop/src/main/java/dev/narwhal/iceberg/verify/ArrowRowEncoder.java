package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.mapping.BooleanValues;
import dev.narwhal.iceberg.mapping.BytesValues;
import dev.narwhal.iceberg.mapping.ColumnValues;
import dev.narwhal.iceberg.mapping.DecimalValues;
import dev.narwhal.iceberg.mapping.DoubleValues;
import dev.narwhal.iceberg.mapping.FloatValues;
import dev.narwhal.iceberg.mapping.IntValues;
import dev.narwhal.iceberg.mapping.ListValues;
import dev.narwhal.iceberg.mapping.LongValues;
import java.util.List;

/** Rows of Arrow batches, after the type mapping, as {@link RowBytes}. For one thread. */
final class ArrowRowEncoder {
  /** Encodes a value that is there. */
  private interface Encoder {
    void encode(int row);
  }

  private final RowBytes out;
  private final List<ColumnValues> columns;
  private final List<Encoder> encoders;

  /**
   * @param columns bound to each batch by the caller
   */
  ArrowRowEncoder(List<ColumnValues> columns, RowBytes out) {
    this.out = out;
    this.columns = columns;
    this.encoders = columns.stream().map(values -> values.accept(new Encoders())).toList();
  }

  /** Encodes a row of the bound batch in place of the row before. */
  void encode(int row) {
    out.clear();
    for (int i = 0; i < columns.size(); i++) {
      encode(columns.get(i), encoders.get(i), row);
    }
  }

  private void encode(ColumnValues values, Encoder encoder, int row) {
    if (values.isNull(row)) {
      out.putNull();
    } else {
      encoder.encode(row);
    }
  }

  private final class Encoders implements ColumnValues.Visitor<Encoder> {
    @Override
    public Encoder booleans(BooleanValues values) {
      return row -> out.put(values.get(row));
    }

    @Override
    public Encoder ints(IntValues values) {
      return row -> out.put(values.get(row));
    }

    @Override
    public Encoder longs(LongValues values) {
      return row -> out.put(values.get(row));
    }

    @Override
    public Encoder floats(FloatValues values) {
      return row -> out.put(values.get(row));
    }

    @Override
    public Encoder doubles(DoubleValues values) {
      return row -> out.put(values.get(row));
    }

    @Override
    public Encoder decimals(DecimalValues values) {
      return row -> {
        values.load(row);
        out.putDecimal(values.high(), values.low());
      };
    }

    @Override
    public Encoder bytes(BytesValues values) {
      return row -> {
        values.load(row);
        out.put(values.bytes(), 0, values.length());
      };
    }

    @Override
    public Encoder list(ListValues values) {
      ColumnValues elements = values.elements();
      Encoder encoder = elements.accept(this);
      return row -> {
        out.beginList(values.size());
        int start = values.start(row);
        for (int i = 0; i < values.size(); i++) {
          encode(elements, encoder, start + i);
        }
      };
    }
  }
}
