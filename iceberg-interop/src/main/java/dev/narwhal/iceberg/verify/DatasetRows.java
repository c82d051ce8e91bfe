package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.mapping.MappingRules;
import dev.narwhal.iceberg.mapping.RowBytes;
import dev.narwhal.iceberg.mapping.TableMapping;
import dev.narwhal.iceberg.mapping.UnmappableValueException;
import dev.narwhal.iceberg.parquet.ArrowRows;
import dev.narwhal.iceberg.source.RowBatches;
import dev.narwhal.iceberg.source.SourceDataset;
import dev.narwhal.iceberg.source.SourceFragment;
import dev.narwhal.lance.deletion.DeletionVector;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;

/** The live rows of a dataset, one part for each fragment, values after the type mapping. */
final class DatasetRows implements RowSet {
  private final TableMapping mapping;
  private final List<FragmentRows> parts;

  DatasetRows(SourceDataset source, MappingRules rules) {
    this.mapping = TableMapping.of(source.columns(), rules);
    this.parts =
        source.fragments().stream().map(fragment -> new FragmentRows(mapping, fragment)).toList();
  }

  TableMapping mapping() {
    return mapping;
  }

  @Override
  public Schema schema() {
    return mapping.schema();
  }

  @Override
  public List<? extends Part> parts() {
    return parts;
  }

  private record FragmentRows(TableMapping mapping, SourceFragment fragment) implements Part {
    @Override
    public void forEach(RowConsumer consumer) throws IOException {
      DeletionVector deletions = fragment.deletions();
      ArrowRows rows = new ArrowRows(mapping);
      RowBytes bytes = new RowBytes();
      ArrowRowEncoder encoder = new ArrowRowEncoder(rows.columns(), bytes);
      try (RowBatches batches = fragment.open(mapping.sources())) {
        long offset = 0;
        boolean more = true;
        Optional<VectorSchemaRoot> batch = batches.next();
        while (more && batch.isPresent()) {
          int count = batch.get().getRowCount();
          rows.bind(batch.get(), offset);
          long[] dead = new long[(count + Long.SIZE - 1) / Long.SIZE];
          deletions.copyBits(offset, count, dead);
          for (int row = 0; more && row < count; row++) {
            if ((dead[row >>> 6] & (1L << row)) == 0) {
              encoder.encode(row);
              more = consumer.accept(bytes);
            }
          }
          offset += count;
          batch = more ? batches.next() : Optional.empty();
        }
        if (more && offset != fragment.physicalRows()) {
          throw new IllegalStateException(
              offset + " rows read, " + fragment.physicalRows() + " expected");
        }
      } catch (UnmappableValueException e) {
        throw e.in("fragment " + fragment.id());
      }
    }
  }
}
