package dev.narwhal.iceberg.rowdelete.equality;

import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Cuts rows of a table down to their key. */
final class KeyRecord {
  private final Schema from;
  private final Schema to;

  KeyRecord(Schema from, Schema to) {
    this.from = from;
    this.to = to;
  }

  /** The key of a row, a record of its own. */
  Record of(Record row) {
    return of(row, from.asStruct(), to.asStruct());
  }

  private static Record of(Record row, Types.StructType from, Types.StructType to) {
    Record key = GenericRecord.create(to);
    for (int i = 0; i < to.fields().size(); i++) {
      Types.NestedField field = to.fields().get(i);
      int at = from.fields().indexOf(from.field(field.fieldId()));
      key.set(i, value(row.get(at), from.fields().get(at), field));
    }
    return key;
  }

  private static @Nullable Object value(
      @Nullable Object value, Types.NestedField from, Types.NestedField to) {
    return value instanceof Record struct
        ? of(struct, from.type().asStructType(), to.type().asStructType())
        : value;
  }
}
