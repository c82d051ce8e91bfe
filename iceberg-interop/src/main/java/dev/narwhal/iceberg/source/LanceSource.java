package dev.narwhal.iceberg.source;

import static java.util.Objects.requireNonNull;

import dev.narwhal.iceberg.mapping.SourceField;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.puffin.PortableRoaring;
import dev.narwhal.puffin.PuffinFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A version of a Lance dataset as a source; blobs are read as bytes. Safe for use by many threads.
 */
public final class LanceSource implements SourceDataset {
  private final Dataset dataset;
  private final BufferAllocator allocator;
  private final List<LanceFragment> fragments;

  /**
   * @param allocator for the batches; it outlives the source
   * @throws IOException when a count that the manifest leaves out cannot be read from a file
   */
  public LanceSource(Dataset dataset, BufferAllocator allocator) throws IOException {
    this.dataset = requireNonNull(dataset, "dataset");
    this.allocator = requireNonNull(allocator, "allocator");
    this.fragments = new ArrayList<>();
    for (Fragment fragment : dataset.fragments()) {
      fragments.add(new LanceFragment(fragment, dataset.physicalRows(fragment)));
    }
  }

  @Override
  public String uri() {
    return dataset.uri();
  }

  @Override
  public long version() {
    return dataset.version();
  }

  @Override
  public List<SourceField> columns() {
    return FieldTree.topLevel(dataset.schema()).stream()
        .map(tree -> field(tree, ArrowTypes.toArrow(tree, BlobMode.BYTES)))
        .toList();
  }

  /** Lance has a field for each child that Arrow has, or Arrow has children of its own, or none. */
  private static SourceField field(FieldTree tree, Field arrow) {
    int id = tree.field().id();
    if (tree.children().size() != arrow.getChildren().size()) {
      return SourceField.of(id, arrow);
    }
    List<SourceField> children = new ArrayList<>(tree.children().size());
    for (int i = 0; i < tree.children().size(); i++) {
      children.add(field(tree.children().get(i), arrow.getChildren().get(i)));
    }
    return new SourceField(OptionalInt.of(id), arrow, children);
  }

  @Override
  public List<? extends SourceFragment> fragments() {
    return fragments;
  }

  private final class LanceFragment implements SourceFragment {
    private final Fragment fragment;
    private final long physicalRows;

    LanceFragment(Fragment fragment, long physicalRows) {
      this.fragment = fragment;
      this.physicalRows = physicalRows;
    }

    @Override
    public long id() {
      return fragment.id();
    }

    @Override
    public long physicalRows() {
      return physicalRows;
    }

    @Override
    public DeletionVector deletions() throws IOException {
      return dataset.deletions(fragment);
    }

    @Override
    public boolean hasDeletions() {
      return fragment.deletionFile().isPresent();
    }

    /** A bitmap file's bytes go on as they are, after one pass over their structure. */
    @Override
    public PortableRoaring portableDeletions() throws IOException {
      Optional<ByteBuffer> stored = dataset.deletionBitmapBytes(fragment);
      if (stored.isEmpty()) {
        return SourceFragment.super.portableDeletions();
      }
      DeletionFile file = fragment.deletionFile().orElseThrow();
      String place = dataset.uri() + '/' + file.relativePath(fragment.id());
      PortableRoaring portable;
      try {
        portable = PortableRoaring.of(stored.get(), physicalRows);
      } catch (PuffinFormatException e) {
        throw new LanceFormatException(place + ": " + e.getMessage(), e);
      }
      if (portable.cardinality() != file.deletedRows().orElse(portable.cardinality())) {
        throw new LanceFormatException(
            place
                + ": "
                + portable.cardinality()
                + " deleted rows, the manifest says "
                + file.deletedRows().getAsLong());
      }
      return portable;
    }

    /** One thread for each fragment: whoever reads fragments does so side by side. */
    @Override
    public RowBatches open(List<SourceField> columns) throws IOException {
      BatchReader reader =
          dataset
              .scan(
                  List.of(fragment),
                  ScanOptions.of(columns.stream().map(SourceField::name).toList())
                      .withBlobs(BlobMode.BYTES)
                      .withDeletedRows()
                      .withParallelism(1))
              .read(allocator);
      return new ReaderBatches(reader);
    }
  }

  private record ReaderBatches(BatchReader reader) implements RowBatches {
    @Override
    public Optional<VectorSchemaRoot> next() throws IOException {
      return reader.next() ? Optional.of(reader.batch()) : Optional.empty();
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
