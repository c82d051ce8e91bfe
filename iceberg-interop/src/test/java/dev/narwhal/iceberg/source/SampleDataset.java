package dev.narwhal.iceberg.source;

import dev.narwhal.iceberg.mapping.SourceField;
import dev.narwhal.lance.deletion.DeletionVector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A dataset of {@link SampleColumn}s. Dataset row {@code i} counts through all fragments, deleted
 * rows included.
 */
public final class SampleDataset implements SourceDataset {
  private final List<SampleColumn> columns;
  private final BufferAllocator allocator;
  private final int batchRows;
  private final List<Part> parts = new ArrayList<>();
  private int rows;

  public SampleDataset(List<SampleColumn> columns, BufferAllocator allocator, int batchRows) {
    this.columns = columns;
    this.allocator = allocator;
    this.batchRows = batchRows;
  }

  /** Adds a fragment. */
  public SampleDataset with(int physicalRows, DeletionVector deletions) {
    return with(physicalRows, deletions, Integer.MAX_VALUE);
  }

  /** Adds a fragment whose reader fails once it has given that many rows. */
  public SampleDataset with(int physicalRows, DeletionVector deletions, int failAfterRows) {
    parts.add(new Part(parts.size(), rows, physicalRows, deletions, failAfterRows));
    rows += physicalRows;
    return this;
  }

  /** The live rows, each with its values as Iceberg's generic reader must give them, by row. */
  public SortedMap<Integer, List<@Nullable Object>> liveRows() {
    SortedMap<Integer, List<@Nullable Object>> live = new TreeMap<>();
    for (Part part : parts) {
      for (int offset = 0; offset < part.physicalRows; offset++) {
        if (!part.deletions.contains(offset)) {
          int i = part.firstRow + offset;
          List<@Nullable Object> row = new ArrayList<>();
          columns.forEach(column -> row.add(column.expected(i)));
          live.put(i, row);
        }
      }
    }
    return live;
  }

  @Override
  public String uri() {
    return "memory:sample";
  }

  @Override
  public long version() {
    return 42;
  }

  @Override
  public List<SourceField> columns() {
    FieldNumbers numbers = new FieldNumbers();
    return columns.stream().map(column -> numbers.next(column.field())).toList();
  }

  private static List<SampleColumn> chosen(List<SampleColumn> all, List<SourceField> fields) {
    return fields.stream()
        .map(
            field ->
                all.stream()
                    .filter(column -> column.field().equals(field.field()))
                    .findFirst()
                    .orElseThrow())
        .toList();
  }

  @Override
  public List<? extends SourceFragment> fragments() {
    return parts;
  }

  private final class Part implements SourceFragment {
    private final long id;
    private final int firstRow;
    private final int physicalRows;
    private final DeletionVector deletions;
    private final int failAfterRows;

    private Part(
        long id, int firstRow, int physicalRows, DeletionVector deletions, int failAfterRows) {
      this.id = id;
      this.firstRow = firstRow;
      this.physicalRows = physicalRows;
      this.deletions = deletions;
      this.failAfterRows = failAfterRows;
    }

    @Override
    public long id() {
      return id;
    }

    @Override
    public long physicalRows() {
      return physicalRows;
    }

    @Override
    public boolean hasDeletions() {
      return !deletions.isEmpty();
    }

    @Override
    public DeletionVector deletions() {
      return deletions;
    }

    @Override
    public RowBatches open(List<SourceField> fields) {
      return new Batches(this, chosen(columns, fields));
    }
  }

  private final class Batches implements RowBatches {
    private final Part part;
    private final List<SampleColumn> columns;
    private final VectorSchemaRoot root;
    private int offset;

    private Batches(Part part, List<SampleColumn> columns) {
      this.part = part;
      this.columns = columns;
      this.root =
          VectorSchemaRoot.create(
              new Schema(columns.stream().map(SampleColumn::field).toList()), allocator);
    }

    @Override
    public Optional<VectorSchemaRoot> next() throws IOException {
      if (offset >= part.failAfterRows) {
        throw new IOException("the disk is gone");
      }
      int count = Math.min(batchRows, part.physicalRows - offset);
      if (count == 0) {
        return Optional.empty();
      }
      root.clear();
      for (int c = 0; c < columns.size(); c++) {
        FieldVector vector = root.getVector(c);
        vector.setInitialCapacity(count);
        vector.allocateNew();
        for (int row = 0; row < count; row++) {
          columns.get(c).set(vector, row, part.firstRow + offset + row);
        }
      }
      root.setRowCount(count);
      offset += count;
      return Optional.of(root);
    }

    @Override
    public void close() {
      root.close();
    }
  }
}
