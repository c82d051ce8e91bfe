package dev.narwhal.lance.write.columns;

import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.predicate.Projection;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Columns computed from others of the same row, for the live rows. */
record ComputedValues(List<Computed> columns) implements ColumnValues {
  ComputedValues {
    columns = List.copyOf(columns);
  }

  /**
   * One of them.
   *
   * @param type of the column; empty lets the expression decide
   */
  record Computed(String name, Optional<Field> type, String sql) {
    Projection on(Schema schema) {
      return type.isPresent()
          ? Projection.parse(sql, schema, NewColumns.nullable(type.get()))
          : Projection.parseNew(sql, schema, name);
    }
  }

  @Override
  public List<Field> fields(WriteContext context) {
    return projections(context).stream().map(Projection::target).toList();
  }

  private List<Projection> projections(WriteContext context) {
    Schema schema = SystemColumns.with(ArrowTypes.toArrow(context.manifest().schema()));
    return columns.stream().map(column -> column.on(schema)).toList();
  }

  @Override
  public boolean writes() {
    return true;
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public void fill(WriteContext context, List<Field> fields, List<ColumnFile> files)
      throws IOException {
    List<Projection> projections = projections(context);
    Set<String> inputs = new LinkedHashSet<>();
    projections.forEach(projection -> inputs.addAll(projection.columns()));
    inputs.remove(SystemColumns.ROW_ADDRESS);
    ScanOptions scan = ScanOptions.of(List.copyOf(inputs)).withRowAddress();
    for (ColumnFile file : files) {
      try (BatchReader reader =
          new Scan(context.manifest().schema(), List.of(file.fragment()), context.files(), scan)
              .read(context.allocator())) {
        while (reader.next()) {
          compute(context, projections, reader.batch(), file);
        }
      }
      // now, so that few pages wait in memory
      file.finish();
    }
  }

  private static void compute(
      WriteContext context, List<Projection> projections, VectorSchemaRoot batch, ColumnFile file)
      throws IOException {
    int rows = batch.getRowCount();
    UInt8Vector addresses = (UInt8Vector) batch.getVector(SystemColumns.ROW_ADDRESS);
    Map<String, FieldVector> inputs = new HashMap<>();
    batch.getFieldVectors().forEach(vector -> inputs.put(vector.getName(), vector));
    List<FieldVector> values = new ArrayList<>();
    try {
      for (Projection projection : projections) {
        values.add(projection.evaluate(inputs, rows, context.allocator()));
      }
      VectorSchemaRoot computed = new VectorSchemaRoot(values);
      computed.setRowCount(rows);
      file.add(offsets(addresses, rows), computed);
    } catch (PredicateEvaluationException e) {
      throw e.in(
          "%s: fragment %d, row offset %d"
              .formatted(
                  context.store().uri(),
                  file.fragment().id(),
                  RowAddress.offset(addresses.get(e.row()))));
    } finally {
      values.forEach(FieldVector::close);
    }
  }

  private static long[] offsets(UInt8Vector addresses, int rows) {
    long[] offsets = new long[rows];
    for (int i = 0; i < rows; i++) {
      offsets[i] = RowAddress.offset(addresses.get(i));
    }
    return offsets;
  }
}
