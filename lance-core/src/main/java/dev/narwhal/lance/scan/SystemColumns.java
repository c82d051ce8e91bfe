package dev.narwhal.lance.scan;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Columns that every table has without storing them. Source: table format sheet 10.1. */
public final class SystemColumns {
  /** Row id: the stable one where the table keeps such ids, else the row address. */
  public static final String ROW_ID = "_rowid";

  /** Row address: fragment id in the high 32 bits, row offset in the low ones. */
  public static final String ROW_ADDRESS = "_rowaddr";

  /** Position in the whole table, live rows only. */
  public static final String ROW_OFFSET = "_rowoffset";

  /** The version that made the row; 1 on tables that do not keep it. */
  public static final String ROW_CREATED_AT_VERSION = "_row_created_at_version";

  /** The version that wrote the row last; that which made it on tables that do not keep it. */
  public static final String ROW_LAST_UPDATED_AT_VERSION = "_row_last_updated_at_version";

  private static final List<String> NAMES =
      List.of(ROW_ID, ROW_ADDRESS, ROW_OFFSET, ROW_CREATED_AT_VERSION, ROW_LAST_UPDATED_AT_VERSION);

  private SystemColumns() {}

  public static boolean contains(String name) {
    return NAMES.contains(name);
  }

  /** The unsigned 64-bit, never null field of a system column. */
  public static Field field(String name) {
    return new Field(name, FieldType.notNullable(new ArrowType.Int(64, false)), null);
  }

  /** The table's columns and then the system columns: what a predicate may name. */
  public static Schema with(Schema table) {
    List<Field> fields = new ArrayList<>(table.getFields());
    for (String name : NAMES) {
      fields.add(field(name));
    }
    return new Schema(fields, table.getCustomMetadata());
  }
}
