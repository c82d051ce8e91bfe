package dev.narwhal.lance;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.cleanup.Cleanup;
import dev.narwhal.lance.cleanup.CleanupOptions;
import dev.narwhal.lance.cleanup.CleanupResult;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.References;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.manifest.Versions;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.refs.Branches;
import dev.narwhal.lance.refs.ShallowClone;
import dev.narwhal.lance.refs.Tags;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowVersions;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.FragmentFiles;
import dev.narwhal.lance.scan.RowLocator;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.scan.TableFiles;
import dev.narwhal.lance.scan.Take;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.History;
import dev.narwhal.lance.transaction.Transaction;
import dev.narwhal.lance.write.ChangeResult;
import dev.narwhal.lance.write.CommitBuilder;
import dev.narwhal.lance.write.DeleteGroup;
import dev.narwhal.lance.write.DeleteOptions;
import dev.narwhal.lance.write.DeleteResult;
import dev.narwhal.lance.write.DeleteTask;
import dev.narwhal.lance.write.FragmentHandle;
import dev.narwhal.lance.write.RowDelete;
import dev.narwhal.lance.write.RowSelection;
import dev.narwhal.lance.write.TableChange;
import dev.narwhal.lance.write.WriteContext;
import dev.narwhal.lance.write.columns.ColumnAddition;
import dev.narwhal.lance.write.insert.Insert;
import dev.narwhal.lance.write.insert.NewDataset;
import dev.narwhal.lance.write.merge.MergeInsert;
import dev.narwhal.lance.write.update.ColumnRewrite;
import dev.narwhal.lance.write.update.RowUpdate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * One version of a Lance dataset.
 *
 * <p>Immutable: a commit makes a new version, which {@link #latest} opens; this one goes on telling
 * what it told. It holds no file open and no memory, and is safe for use by many threads.
 *
 * <pre>{@code
 * try (BufferAllocator allocator = new RootAllocator()) {
 *   Dataset dataset = Dataset.open("samples/sightings.lance", allocator);
 *   DeleteResult result = dataset.delete("confidence < 0.1");
 *   long rows = dataset.latest().countRows();
 * }
 * }</pre>
 */
public final class Dataset {
  private final ObjectStore root;
  private final Stores stores;
  private final BufferAllocator allocator;
  private final Versions.Found found;
  private final FragmentFiles files;
  private final RowLocator rows;

  private Dataset(
      ObjectStore root, Stores stores, BufferAllocator allocator, Versions.Found found) {
    this.root = root;
    this.stores = stores;
    this.allocator = allocator;
    this.found = found;
    this.files = new TableFiles(found.file().manifest(), found.store(), stores);
    this.rows = new RowLocator(root.uri(), found.file().manifest(), files);
  }

  /**
   * Opens the newest version.
   *
   * @param uri a path or a {@code file:} URI
   * @param allocator for what scans and deletes read; it outlives the dataset
   * @throws dev.narwhal.lance.error.DatasetNotFoundException when there is no dataset
   */
  public static Dataset open(String uri, BufferAllocator allocator) throws IOException {
    return open(uri, VersionSelector.latest(), allocator);
  }

  /** Opens the version that is meant. */
  public static Dataset open(String uri, VersionSelector selector, BufferAllocator allocator)
      throws IOException {
    return open(uri, selector, Stores.local(), allocator);
  }

  /**
   * Opens the version that is meant.
   *
   * @param stores finds the dataset, and the base paths that its manifests name
   */
  public static Dataset open(
      String uri, VersionSelector selector, Stores stores, BufferAllocator allocator)
      throws IOException {
    requireNonNull(allocator, "allocator");
    ObjectStore root = stores.at(uri);
    return new Dataset(root, stores, allocator, Versions.find(root, selector));
  }

  /** Begins a dataset at a path or URI where there is none; see {@link NewDataset}. */
  public static NewDataset create(String uri) {
    return new NewDataset(Stores.local().at(uri));
  }

  /** The newest version of the same branch. */
  public Dataset latest() throws IOException {
    VersionSelector newest =
        manifest()
            .branch()
            .map(VersionSelector.latest()::onBranch)
            .orElse(VersionSelector.latest());
    return new Dataset(root, stores, allocator, Versions.find(root, newest));
  }

  /** Where the dataset is. */
  public String uri() {
    return root.uri();
  }

  /** The version, u64. */
  public long version() {
    return manifest().version();
  }

  public Manifest manifest() {
    return found.file().manifest();
  }

  /** Where the version's manifest lies. */
  public ManifestLocation location() {
    return found.location();
  }

  public List<IndexMetadata> indices() {
    return found.file().indices();
  }

  public LanceSchema schema() {
    return manifest().schema();
  }

  /** The schema of what is read, blobs as descriptors. */
  public Schema arrowSchema() {
    return arrowSchema(BlobMode.DESCRIPTORS);
  }

  /** The schema of what is read. */
  public Schema arrowSchema(BlobMode blobs) {
    return ArrowTypes.toArrow(schema(), blobs);
  }

  public List<Fragment> fragments() {
    return manifest().fragments();
  }

  /** Tags and branches. */
  public References references() {
    return new References(root);
  }

  /** The versions of this branch with what made them, oldest first. */
  public List<History.Entry> history() throws IOException {
    return History.of(found.store());
  }

  /**
   * What made a version of this branch; empty when nothing tells.
   *
   * @throws dev.narwhal.lance.error.DatasetNotFoundException when there is no such version
   */
  public Optional<Transaction> transaction(long version) throws IOException {
    return History.transaction(found.store(), version);
  }

  /** Live rows. Reads no data: the manifest tells, deletion files only where it does not. */
  public long countRows() throws IOException {
    return scan(ScanOptions.of(List.of())).count(allocator);
  }

  /** Live rows for which a predicate is true. */
  public long countRows(String where) throws IOException {
    return scan(ScanOptions.of(List.of()).withFilter(predicate(where))).count(allocator);
  }

  /**
   * A predicate over the columns of this version and the system columns.
   *
   * @throws dev.narwhal.lance.error.InvalidPredicateException when it cannot be parsed, names
   *     something unknown, or has a type error
   */
  public Predicate predicate(String where) {
    return Predicate.parse(where, SystemColumns.with(arrowSchema()));
  }

  /** Every column of every live row; see {@link #scan} for less. The caller closes the result. */
  public BatchReader read() throws IOException {
    return scan(ScanOptions.of(columnNames())).read(allocator);
  }

  /**
   * Every column of the live rows {@code [offset, offset + limit)}, counted from the first of the
   * table. Rows before them cost nothing: fragments are skipped by their counts. The caller closes
   * the result.
   *
   * @param offset at least 0; from the number of live rows on nothing is read
   * @param limit at least 0
   */
  public BatchReader read(long offset, long limit) throws IOException {
    return scan(ScanOptions.of(columnNames()).withOffset(offset).withLimit(limit)).read(allocator);
  }

  /**
   * Rows by their places among the live rows of the table, as a scan would count them. Only the
   * pages that hold the rows are read.
   *
   * @param offsets in any order; a row asked for twice comes twice
   * @param columns table columns and {@linkplain SystemColumns system columns}, in the order of the
   *     result
   * @return the rows in the order of the request; the caller closes it
   * @throws dev.narwhal.lance.error.RowNotFoundException when there are not so many live rows
   */
  public VectorSchemaRoot takeOffsets(long[] offsets, List<String> columns) throws IOException {
    return take(columns, BlobMode.DESCRIPTORS).offsets(offsets, allocator);
  }

  /**
   * Rows by their addresses; else as {@link #takeOffsets}.
   *
   * @throws dev.narwhal.lance.error.RowNotFoundException when one is no live row's
   */
  public VectorSchemaRoot takeAddresses(long[] addresses, List<String> columns) throws IOException {
    return take(columns, BlobMode.DESCRIPTORS).addresses(addresses, allocator);
  }

  /**
   * Rows by their ids: the stable ones where the table keeps such ids, else their addresses. Else
   * as {@link #takeOffsets}.
   *
   * @param rowIds u64
   * @throws dev.narwhal.lance.error.RowNotFoundException when no live row has one; real Lance
   *     leaves such a stable row id out of the result
   */
  public VectorSchemaRoot takeRowIds(long[] rowIds, List<String> columns) throws IOException {
    return take(columns, BlobMode.DESCRIPTORS).rowIds(rowIds, allocator);
  }

  /**
   * The row addresses of live rows by their ids, {@link
   * dev.narwhal.lance.fragment.RowAddress#TOMBSTONE} where there is none. The first call makes the
   * index of row ids, which stays.
   *
   * @param rowIds u64
   */
  public long[] addressesOf(long[] rowIds) throws IOException {
    return rows.find(rowIds);
  }

  /**
   * Random access to some columns.
   *
   * @param columns table columns and {@linkplain SystemColumns system columns}, in the order of the
   *     result
   * @param blobs what is read of blob columns
   * @throws IllegalArgumentException for a column that the table does not have, or one asked twice
   */
  public Take take(List<String> columns, BlobMode blobs) {
    return new Take(schema(), rows, columns, Runtime.getRuntime().availableProcessors(), blobs);
  }

  /** A scan of all fragments. */
  public Scan scan(ScanOptions options) {
    return scan(fragments(), options);
  }

  /** A scan of some of this version's fragments. */
  public Scan scan(List<Fragment> some, ScanOptions options) {
    return new Scan(schema(), some, files, options);
  }

  /** Rows of a fragment of this version, deleted ones included. */
  public long physicalRows(Fragment fragment) throws IOException {
    return scan(List.of(fragment), ScanOptions.of(List.of())).physicalRows(fragment);
  }

  /** The row ids of a fragment of this version; empty when the table keeps no stable ones. */
  public Optional<RowIdSequence> rowIds(Fragment fragment) throws IOException {
    return fragment.rowIds().isEmpty()
        ? Optional.empty()
        : Optional.of(files.rowIds(fragment, physicalRows(fragment)));
  }

  /** For each row of a fragment of this version the one that made it; 1 if nobody kept it. */
  public RowVersions createdVersions(Fragment fragment) throws IOException {
    return files.createdVersions(fragment, physicalRows(fragment));
  }

  /** For each row of a fragment of this version the one that wrote it last. */
  public RowVersions lastUpdatedVersions(Fragment fragment) throws IOException {
    return files.lastUpdatedVersions(fragment, physicalRows(fragment));
  }

  /** Offsets of the deleted rows of a fragment of this version. */
  public DeletionVector deletions(Fragment fragment) throws IOException {
    return files.deletions(fragment, physicalRows(fragment));
  }

  /**
   * The deletion file of a fragment as it is stored, when it is a bitmap: portable Roaring bytes,
   * unchecked, for whoever frames them for another format. Empty when the fragment has an array
   * file or none.
   */
  public Optional<ByteBuffer> deletionBitmapBytes(Fragment fragment) throws IOException {
    return files.bitmapBytes(fragment);
  }

  /** Names of the top-level columns, in order. */
  public List<String> columnNames() {
    return schema().topLevel().stream().map(LanceField::name).toList();
  }

  /**
   * Deletes the live rows for which a predicate is true, and commits. When none is, nothing is
   * written and the version stays.
   *
   * @throws dev.narwhal.lance.error.RetryableConflictException when another commit came first
   */
  public DeleteResult delete(String where) throws IOException {
    return delete(where, DeleteOptions.standard());
  }

  /** Deletes as the options say. */
  public DeleteResult delete(String where, DeleteOptions options) throws IOException {
    return new RowDelete(context(), options).delete(where);
  }

  /**
   * Deletes rows of this version that are named, and commits. Rows that are deleted already do not
   * count.
   *
   * @throws IllegalArgumentException when one does not exist; nothing is committed then
   */
  public DeleteResult deleteRows(RowSelection rows) throws IOException {
    return deleteRows(rows, DeleteOptions.standard());
  }

  /** The same as the options say. */
  public DeleteResult deleteRows(RowSelection rows, DeleteOptions options) throws IOException {
    return new RowDelete(context(), options).delete(rows);
  }

  /** A delete of which the parts are done one by one: written here, committed elsewhere. */
  public RowDelete prepareDelete(DeleteOptions options) {
    return new RowDelete(context(), options);
  }

  /** Parts of a delete, at most so many, for workers elsewhere; {@link #commit} ends it. */
  public List<DeleteTask> deleteTasks(String where, int parts) {
    return deleteTasks(RowSelection.where(where), parts);
  }

  /** The same for rows that are named. */
  public List<DeleteTask> deleteTasks(RowSelection rows, int parts) {
    return DeleteTask.split(uri(), manifest(), rows, parts);
  }

  /** New rows for this table, or all new ones; see {@link Insert}. */
  public Insert insert() {
    return new Insert(context());
  }

  /**
   * Rows brought in by key; see {@link MergeInsert}.
   *
   * @param keys columns that rows are matched by; none means the table's primary key
   */
  public MergeInsert mergeInsert(String... keys) {
    return new MergeInsert(context(), List.of(keys));
  }

  /** New values for columns of some rows; see {@link RowUpdate}. */
  public RowUpdate update() {
    return new RowUpdate(context());
  }

  /** New values for columns of some rows, in place; see {@link ColumnRewrite}. */
  public ColumnRewrite rewriteColumns() {
    return new ColumnRewrite(context());
  }

  /** Columns that the table gets; see {@link ColumnAddition}. */
  public ColumnAddition addColumns() {
    return new ColumnAddition(context());
  }

  /** Commits what was worked out on this version. */
  public CommitBuilder commit() {
    return new CommitBuilder(context());
  }

  /**
   * Many small deletes by many threads in few versions, from this version on; see {@link
   * DeleteGroup}.
   */
  public DeleteGroup deleteGroup(DeleteOptions options) {
    return new DeleteGroup(context(), options);
  }

  /**
   * A fragment of this version, to delete rows of without a commit.
   *
   * @throws IllegalArgumentException if there is none of this id
   */
  public FragmentHandle fragment(long id) {
    Fragment fragment =
        manifest()
            .fragment(id)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        uri() + ": version " + version() + " has no fragment " + id));
    return new FragmentHandle(context(), fragment);
  }

  /** Names for versions, of this branch or another. */
  public Tags tags() {
    return new Tags(root);
  }

  /** Lines of versions that leave main, or one another. */
  public Branches branches() {
    return new Branches(root);
  }

  /**
   * A change that touches no row: of columns, configuration, base paths, or back to an older
   * version. It is worked out on the newest version of this branch.
   */
  public TableChange change() {
    return new TableChange(context());
  }

  /**
   * Makes this version the newest of its branch again; see {@link TableChange#restore}. The
   * branch's other versions stay.
   */
  public ChangeResult restore() throws IOException {
    return change().restore(version());
  }

  /**
   * Begins a dataset of its own with this version, whose files stay here; see {@link ShallowClone}.
   *
   * @param target a path or a {@code file:} URI of a directory without a dataset
   */
  public Committed shallowClone(String target) throws IOException {
    VersionSelector here = VersionSelector.version(version());
    return new ShallowClone(root)
        .into(stores.at(target), found.branch().map(here::onBranch).orElse(here));
  }

  /**
   * Removes old versions of this branch, and the files that only they need.
   *
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException when it cannot be told which files
   *     are needed; nothing is removed then
   */
  public CleanupResult cleanup(CleanupOptions options) throws IOException {
    return new Cleanup(root, found.branch(), version(), options).run();
  }

  private WriteContext context() {
    return new WriteContext(found.store(), stores, found.file(), files, rows, allocator);
  }
}
