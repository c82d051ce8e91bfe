package dev.narwhal.lance.scan;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.ColumnInfo;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowVersions;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A data file without a dataset, read as if it was the only fragment of one: all its rows are
 * alive, and the schema is the file's own. Immutable; it holds no file open.
 */
public final class StandaloneFile {
  private final ObjectStore store;
  private final String path;
  private final LanceSchema schema;
  private final Fragment fragment;

  private StandaloneFile(ObjectStore store, String path, LanceSchema schema, Fragment fragment) {
    this.store = store;
    this.path = path;
    this.schema = schema;
    this.fragment = fragment;
  }

  /**
   * Reads what a file says of itself.
   *
   * @param path relative to the root of {@code store}
   */
  public static StandaloneFile of(ObjectStore store, String path) throws IOException {
    requireNonNull(store, "store");
    try (LanceFile file = LanceFile.open(store, path)) {
      List<ColumnInfo> columns = file.columns();
      DataFile dataFile =
          new DataFile(
              path,
              columns.stream().map(ColumnInfo::fieldId).toList(),
              columns.stream().map(ColumnInfo::index).toList(),
              2,
              file.version().minor(),
              OptionalLong.empty(),
              OptionalInt.empty(),
              UnknownFields.none());
      Fragment fragment =
          new Fragment(
              0,
              List.of(dataFile),
              Optional.empty(),
              OptionalLong.of(file.rows()),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              UnknownFields.none());
      return new StandaloneFile(store, path, file.schema(), fragment);
    }
  }

  /** The file's own schema. */
  public LanceSchema schema() {
    return schema;
  }

  /** Names of the top-level columns, in order. */
  public List<String> columnNames() {
    return schema.topLevel().stream().map(LanceField::name).toList();
  }

  /**
   * A predicate over the columns of the file.
   *
   * @throws dev.narwhal.lance.error.InvalidPredicateException when it cannot be parsed, names
   *     something unknown, or has a type error
   */
  public Predicate predicate(String where) {
    return Predicate.parse(where, SystemColumns.with(ArrowTypes.toArrow(schema)));
  }

  /** A scan of all rows. */
  public Scan scan(ScanOptions options) {
    return new Scan(schema, List.of(fragment), new Files(), options);
  }

  private final class Files implements FragmentFiles {
    @Override
    public LanceFile open(DataFile file) throws IOException {
      return LanceFile.open(store, path);
    }

    @Override
    public DeletionVector deletions(Fragment ofFragment, long physicalRows) {
      return DeletionVector.empty();
    }

    @Override
    public Optional<ByteBuffer> bitmapBytes(Fragment ofFragment) {
      return Optional.empty();
    }

    @Override
    public RowIdSequence rowIds(Fragment ofFragment, long physicalRows) {
      throw nothingKnown("row ids");
    }

    @Override
    public RowVersions createdVersions(Fragment ofFragment, long physicalRows) {
      throw nothingKnown("versions");
    }

    @Override
    public RowVersions lastUpdatedVersions(Fragment ofFragment, long physicalRows) {
      throw nothingKnown("versions");
    }

    private IllegalArgumentException nothingKnown(String what) {
      return new IllegalArgumentException(path + " is no dataset: its rows have no " + what);
    }
  }
}
