package dev.narwhal.conformance;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.merge.MergeInsertParams;
import org.lance.merge.MergeInsertParams.WhenNotMatched;

/** Tables of an id, a nullable number and a text, written and changed by real Lance. */
final class UpdateTables {
  static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field("id", FieldType.notNullable(new ArrowType.Int(64, true)), null),
              new Field("n", FieldType.nullable(new ArrowType.Int(32, true)), null),
              new Field("t", FieldType.nullable(ArrowType.Utf8.INSTANCE), null)));

  private UpdateTables() {}

  static JudgeWriter writer(Path table, boolean stableRowIds) {
    JudgeWriter plain = JudgeWriter.at(table, "2.1");
    return stableRowIds ? plain.withStableRowIds() : plain;
  }

  /** Fragments of so many rows, ids ascending from 0, made by as many versions. */
  static Path create(Path table, boolean stableRowIds, List<Integer> fragments) {
    writer(table, stableRowIds)
        .create(
            SCHEMA,
            fragments,
            (batch, fragment, rows) -> {
              int first = fragments.subList(0, fragment).stream().mapToInt(i -> i).sum();
              fill(batch, first, rows, id -> (int) id, id -> "text " + id);
            });
    return table;
  }

  static void append(Path table, long firstId, int rows) {
    JudgeWriter.at(table, "2.1")
        .append(
            SCHEMA,
            List.of(rows),
            (batch, fragment, count) ->
                fill(batch, firstId, count, id -> (int) id, id -> "text " + id));
  }

  private static void fill(
      VectorSchemaRoot batch,
      long firstId,
      int rows,
      LongFunction<Integer> number,
      LongFunction<String> text) {
    long[] ids = new long[rows];
    for (int i = 0; i < rows; i++) {
      ids[i] = firstId + i;
    }
    fill(batch, ids, number, text);
  }

  private static void fill(
      VectorSchemaRoot batch, long[] ids, LongFunction<Integer> number, LongFunction<String> text) {
    batch.allocateNew();
    for (int row = 0; row < ids.length; row++) {
      ((BigIntVector) batch.getVector("id")).setSafe(row, ids[row]);
      if (ids[row] % 5 != 4) {
        ((IntVector) batch.getVector("n")).setSafe(row, number.apply(ids[row]));
      }
      ((VarCharVector) batch.getVector("t"))
          .setSafe(row, text.apply(ids[row]).getBytes(StandardCharsets.UTF_8));
    }
    batch.setRowCount(ids.length);
  }

  /** Real Lance's own update: a merge of rows that are there with other values. */
  static void merge(Path table, long[] ids, LongFunction<Integer> n, LongFunction<String> t)
      throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch = VectorSchemaRoot.create(SCHEMA, allocator)) {
      fill(batch, ids, n, t);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ArrowStreamWriter writer = new ArrowStreamWriter(batch, null, bytes)) {
        writer.start();
        writer.writeBatch();
        writer.end();
      }
      try (ArrowReader reader =
              new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator);
          ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
          LanceJudge judge = LanceJudge.open(table)) {
        Data.exportArrayStream(allocator, reader, stream);
        judge
            .dataset()
            .mergeInsert(
                new MergeInsertParams(List.of("id"))
                    .withMatchedUpdateAll()
                    .withNotMatched(WhenNotMatched.DoNothing),
                stream)
            .dataset()
            .close();
      }
    }
  }

  static Path copy(Path table, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(table)) {
      for (Path file : files.toList()) {
        Path copy = target.resolve(table.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
    return target;
  }
}
