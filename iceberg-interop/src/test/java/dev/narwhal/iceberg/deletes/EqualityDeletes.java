package dev.narwhal.iceberg.deletes;

import java.io.IOException;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.io.OutputFileFactory;

/** Equality deletes as other engines write them. */
public final class EqualityDeletes {
  private EqualityDeletes() {}

  /** Deletes the rows whose {@code id} is {@code id}. */
  public static void commit(Table table, long id) throws IOException {
    EqualityDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(new int[] {table.schema().findField("id").fieldId()})
            .equalityDeleteRowSchema(table.schema().select("id"))
            .build()
            .newEqualityDeleteWriter(
                OutputFileFactory.builderFor(table, 1, 1).build().newOutputFile(),
                table.spec(),
                null);
    try (writer) {
      GenericRecord record = GenericRecord.create(table.schema().select("id"));
      record.setField("id", id);
      writer.write(record);
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
  }
}
