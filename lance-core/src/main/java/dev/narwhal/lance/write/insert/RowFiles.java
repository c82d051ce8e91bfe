package dev.narwhal.lance.write.insert;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.write.FragmentWriter;
import dev.narwhal.lance.write.RowSource;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The data files of the rows of one source. Closed before they are kept, they are removed. */
final class RowFiles implements Closeable {
  private final FragmentWriter writer;
  private final String uri;
  private List<Fragment> fragments = List.of();

  private RowFiles(String uri, FragmentWriter writer) {
    this.uri = uri;
    this.writer = writer;
  }

  /**
   * Writes all rows of a source.
   *
   * @param schema the fields of the source, with their ids in the table
   * @throws IllegalArgumentException when the rows do not fit the schema; nothing is left then
   */
  static RowFiles write(
      ObjectStore store,
      LanceSchema schema,
      FileVersion version,
      InsertOptions options,
      RowSource source)
      throws IOException {
    ObjectStore target = options.dryRun() ? new DryRunStore(store.uri()) : store;
    WriterOptions files = WriterOptions.of(version);
    RowFiles rows =
        new RowFiles(store.uri(), FragmentWriter.create(target, schema, options.limits(), files));
    try {
      while (source.next()) {
        rows.add(source.batch(), source);
      }
      rows.fragments = rows.writer.finish();
      return rows;
    } catch (IOException | RuntimeException e) {
      rows.close(e);
      throw e;
    }
  }

  private void add(VectorSchemaRoot batch, RowSource source) throws IOException {
    try {
      writer.write(batch, source.dictionaries());
    } catch (IllegalArgumentException e) {
      throw at(uri, e);
    }
  }

  /** The same failure with the place of the table in its message. */
  static IllegalArgumentException at(String uri, IllegalArgumentException failure) {
    return new IllegalArgumentException(uri + ": " + failure.getMessage(), failure);
  }

  FragmentWriter writer() {
    return writer;
  }

  List<Fragment> fragments() {
    return fragments;
  }

  long rows() {
    return writer.rows();
  }

  long sizeBytes() {
    return writer.sizeBytes();
  }

  Operation.Append append() {
    return new Operation.Append(fragments, UnknownFields.none());
  }

  Operation.Overwrite overwrite(LanceSchema schema, Map<String, String> config) {
    return new Operation.Overwrite(fragments, schema, config, List.of(), UnknownFields.none());
  }

  /** Nothing was written, or it was only tried. */
  InsertResult unwritten(long version) {
    return new InsertResult(version, rows(), fragments.size(), sizeBytes(), 0);
  }

  private void close(Exception failure) {
    try {
      close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
