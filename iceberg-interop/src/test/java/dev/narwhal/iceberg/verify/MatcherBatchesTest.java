package dev.narwhal.iceberg.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.iceberg.export.DatasetExport;
import dev.narwhal.iceberg.export.ExportOptions;
import dev.narwhal.iceberg.export.Strategy;
import dev.narwhal.iceberg.mapping.MappingRules;
import dev.narwhal.iceberg.mapping.RowBytes;
import dev.narwhal.iceberg.mapping.SourceField;
import dev.narwhal.iceberg.mapping.TableMapping;
import dev.narwhal.iceberg.parquet.ArrowRows;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import dev.narwhal.iceberg.source.NestedColumns;
import dev.narwhal.iceberg.source.SampleDataset;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.lance.deletion.DeletionVector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Arrow batches that a row matcher gets against the rows of the source. */
class MatcherBatchesTest {
  @TempDir Path directory;

  @Test
  void aMatcherSeesEveryValueOfEveryType() throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = TableTarget.at(directory.resolve("table").toString())) {
      SampleDataset dataset =
          new SampleDataset(NestedColumns.andFlatOnes(3), allocator, 100)
              .with(5_000, DeletionVector.empty());
      DatasetExport.run(dataset, target, ExportOptions.of(Strategy.DELETION_VECTORS));
      Table table = target.load().orElseThrow();
      DigestingMatcher matcher = new DigestingMatcher(table);

      new RowDeletes(table, allocator).delete(matcher, DeleteMode.MERGE_ON_READ);

      assertThat(matcher.digest.build())
          .isEqualTo(RowVerification.digest(dataset, MappingRules.ofVersion(3)));
    }
  }

  private static final class DigestingMatcher implements RowMatcher {
    private final RowsDigest.Builder digest = new RowsDigest.Builder();
    private final List<Types.NestedField> fields;

    private DigestingMatcher(Table table) {
      this.fields = table.schema().columns();
    }

    @Override
    public String text() {
      return "everything";
    }

    @Override
    public Set<String> columns() {
      return fields.stream().map(Types.NestedField::name).collect(Collectors.toSet());
    }

    @Override
    public void match(VectorSchemaRoot batch, long[] matches) {
      List<FieldVector> vectors =
          fields.stream().map(field -> batch.getVector(field.name())).toList();
      ArrowRows rows =
          new ArrowRows(
              TableMapping.of(
                  vectors.stream().map(vector -> SourceField.of(0, vector.getField())).toList(),
                  MappingRules.ofVersion(3)));
      rows.bind(new VectorSchemaRoot(vectors), 0);
      RowBytes bytes = new RowBytes();
      ArrowRowEncoder encoder = new ArrowRowEncoder(rows.columns(), bytes);
      for (int row = 0; row < batch.getRowCount(); row++) {
        encoder.encode(row);
        digest.add(RowHash.of(bytes.array(), bytes.length()));
        matches[row >>> 6] |= 1L << row;
      }
    }
  }
}
