package dev.narwhal.lance.write.columns;

import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.scan.VectorSelection;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Columns whose values come with the address, or the id, of their row, in the order of a scan. Live
 * rows that are left out get null.
 *
 * @param source with a column {@code _rowaddr} or {@code _rowid}, int64 or uint64, beside the new
 *     ones
 */
record KeyedValues(RowSource source) implements ColumnValues {
  @Override
  public List<Field> fields(WriteContext context) throws IOException {
    List<Field> fields = new ArrayList<>();
    int keys = 0;
    for (Field field : source.schema().getFields()) {
      if (isKey(field.getName())) {
        keys++;
        requireKey(field);
      } else if (field.getDictionary() != null) {
        throw new IllegalArgumentException(
            "column '" + field.getName() + "': columns with a dictionary cannot be added");
      } else {
        fields.add(field);
      }
    }
    if (keys != 1) {
      throw new IllegalArgumentException(
          "the rows must be named by one column, _rowaddr or _rowid; the source has "
              + source.schema().getFields().stream().map(Field::getName).toList());
    }
    return fields;
  }

  private static boolean isKey(String name) {
    return name.equals(SystemColumns.ROW_ADDRESS) || name.equals(SystemColumns.ROW_ID);
  }

  private static void requireKey(Field field) {
    boolean wide = field.getType() instanceof ArrowType.Int number && number.getBitWidth() == 64;
    if (!wide) {
      throw new IllegalArgumentException(
          "column '" + field.getName() + "' must be int64 or uint64, not " + field.getType());
    }
  }

  @Override
  public boolean writes() {
    return true;
  }

  @Override
  public boolean repeatable() {
    return false;
  }

  @Override
  public void fill(WriteContext context, List<Field> fields, List<ColumnFile> files)
      throws IOException {
    Place place = new Place();
    while (source.next()) {
      VectorSchemaRoot batch = source.batch();
      long[] addresses = addresses(context, batch, place.row);
      List<FieldVector> values = new ArrayList<>();
      for (Field field : fields) {
        values.add(batch.getVector(field.getName()));
      }
      int from = 0;
      while (from < addresses.length) {
        int to = from + 1;
        long id = RowAddress.fragmentId(addresses[from]);
        while (to < addresses.length && RowAddress.fragmentId(addresses[to]) == id) {
          to++;
        }
        ColumnFile file = place.file(id, files);
        add(file, values, addresses, place, from, to, context);
        from = to;
      }
    }
  }

  /** How far the rows have come. */
  private static final class Place {
    private int fragment;
    private long last = -1;
    private long row;

    /** The file of a fragment at, or behind, the one before. */
    ColumnFile file(long id, List<ColumnFile> files) throws IOException {
      while (fragment < files.size() && files.get(fragment).fragment().id() != id) {
        // now, so that few pages wait in memory
        files.get(fragment).finish();
        fragment++;
        last = -1;
      }
      if (fragment == files.size()) {
        throw unordered(row);
      }
      return files.get(fragment);
    }

    static IllegalArgumentException unordered(long row) {
      return new IllegalArgumentException(
          "row "
              + row
              + " of the source does not come in the order of a scan, or is named twice; sort the"
              + " rows by _rowaddr");
    }
  }

  private static void add(
      ColumnFile file,
      List<FieldVector> values,
      long[] addresses,
      Place place,
      int from,
      int to,
      WriteContext context)
      throws IOException {
    long[] offsets = new long[to - from];
    for (int i = from; i < to; i++) {
      long offset = RowAddress.offset(addresses[i]);
      if (offset <= place.last) {
        throw Place.unordered(place.row);
      }
      place.last = offset;
      place.row++;
      offsets[i - from] = offset;
    }
    List<FieldVector> part = new ArrayList<>();
    try {
      int[] positions = new int[to - from];
      for (int i = from; i < to; i++) {
        positions[i - from] = i;
      }
      for (FieldVector vector : values) {
        part.add(VectorSelection.select(vector, positions, context.allocator()));
      }
      VectorSchemaRoot batch = new VectorSchemaRoot(part);
      batch.setRowCount(to - from);
      file.add(offsets, batch);
    } finally {
      part.forEach(FieldVector::close);
    }
  }

  /**
   * @throws dev.narwhal.lance.error.RowNotFoundException when one is no live row's
   */
  private long[] addresses(WriteContext context, VectorSchemaRoot batch, long firstRow)
      throws IOException {
    FieldVector given = batch.getVector(SystemColumns.ROW_ADDRESS);
    boolean byAddress = given != null;
    FieldVector keys = byAddress ? given : batch.getVector(SystemColumns.ROW_ID);
    long[] names = new long[batch.getRowCount()];
    for (int i = 0; i < names.length; i++) {
      if (keys.isNull(i)) {
        throw new IllegalArgumentException(
            "row " + (firstRow + i) + " of the source does not say which row it is for");
      }
      names[i] = ((BaseIntVector) keys).getValueAsLong(i);
    }
    return byAddress ? context.rows().ofAddresses(names) : context.rows().ofRowIds(names);
  }
}
