package dev.narwhal.lance.write.update;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.Closing;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Committer;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.PatchedOffsetsCodec;
import dev.narwhal.lance.transaction.Transaction;
import dev.narwhal.lance.write.NewFiles;
import dev.narwhal.lance.write.Retries;
import dev.narwhal.lance.write.WriteContext;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * Sets columns in place: each fragment that has rows to change gets a new file with just these
 * columns, for all its rows; nothing moves and nothing is deleted. Worth it for narrow columns of
 * many rows, where {@link RowUpdate} would write wide rows anew. Source: table format sheet 6.3.
 *
 * <p>The transaction tells which rows have new values, so that on tables with stable row ids only
 * these are said to be updated. It does so in field 10, which Lance up to 7.0.0 passes over; see
 * {@link #withOffsetLists}.
 *
 * <p>Another commit that touched one of the fragments makes it start again. A rewrite that fails
 * removes its files. One thread; reading and encoding use all cores.
 */
public final class ColumnRewrite {
  private final WriteContext context;
  private final Map<String, String> set = new LinkedHashMap<>();
  private Optional<String> where = Optional.empty();
  private UpdateOptions options = UpdateOptions.standard();
  private boolean offsetLists;

  /**
   * @param context the version to begin with
   */
  public ColumnRewrite(WriteContext context) {
    this.context = requireNonNull(context, "context");
  }

  /** Only live rows for which a condition is true; without one all of them. */
  public ColumnRewrite where(String predicate) {
    where = Optional.of(predicate);
    return this;
  }

  /** Sets a column; as {@link RowUpdate#set}. */
  public ColumnRewrite set(String column, String sql) {
    if (set.putIfAbsent(column, requireNonNull(sql, "sql")) != null) {
      throw new IllegalArgumentException("column '" + column + "' is set twice");
    }
    return this;
  }

  /** Limits and layout do not matter here. */
  public ColumnRewrite withOptions(UpdateOptions other) {
    options = requireNonNull(other, "other");
    return this;
  }

  /**
   * Lists the rows with new values in field 9 of the transaction and leaves field 10 out, for
   * programs built on Lance up to 7.0.0 that read transactions: four bytes or so for each row, in
   * the transaction file and again in the manifest.
   */
  public ColumnRewrite withOffsetLists() {
    offsetLists = true;
    return this;
  }

  /** Rewrites and commits; as {@link RowUpdate#execute}. */
  public UpdateResult execute() throws IOException {
    return options.retries().run(context, this::attempt);
  }

  private UpdateResult attempt(Retries.Attempt attempt) throws IOException {
    WriteContext current = attempt.context();
    Assignments assignments = Assignments.of(current.manifest().schema(), set);
    try (Pass pass = new Pass(current, assignments, options.dryRun())) {
      pass.read(where.map(current::predicate));
      if (options.dryRun() || pass.patched.isEmpty()) {
        return new UpdateResult(
            current.version(), pass.rows, pass.fragments, 0, 0, 0, attempt.earlier());
      }
      return commit(attempt, assignments, pass);
    }
  }

  private UpdateResult commit(Retries.Attempt attempt, Assignments assignments, Pass pass)
      throws IOException {
    WriteContext current = attempt.context();
    Map<Long, DeletionVector> offsets = new LinkedHashMap<>();
    pass.patched.forEach(patch -> offsets.put(patch.fragment().id(), patch.offsets()));
    UnknownFields told =
        offsetLists
            ? PatchedOffsetsCodec.encodeAsLists(offsets)
            : PatchedOffsetsCodec.encode(offsets);
    Operation.Update operation =
        Operation.Update.ofColumns(
            pass.patched.stream().map(PatchedFragment::fragment).toList(),
            List.of(),
            assignments.fieldIds(),
            Optional.empty(),
            told);
    Committed committed =
        NewFiles.commit(
            () ->
                new Committer(current.store(), current.stores())
                    .commit(
                        Transaction.of(current.version(), operation),
                        current.base(),
                        attempt.bound(options.commit())),
            pass::keep);
    return new UpdateResult(
        committed.location().version(),
        pass.rows,
        pass.patched.size(),
        0,
        0,
        pass.sizeBytes() + committed.bytesWritten(),
        attempt.earlier() + committed.attempts());
  }

  /** One way through the rows of a version, and the files that came of it. */
  private static final class Pass implements Closeable {
    private final WriteContext context;
    private final Assignments assignments;
    private final boolean dryRun;
    private final RewrittenColumns columns;
    private final List<ColumnPatch> patches = new ArrayList<>();
    private final List<PatchedFragment> patched = new ArrayList<>();
    private @Nullable ColumnPatch open;
    private boolean all;
    private long fragmentId = -1;
    private int fragments;
    private long rows;

    Pass(WriteContext context, Assignments assignments, boolean dryRun) {
      this.context = context;
      this.assignments = assignments;
      this.dryRun = dryRun;
      this.columns = RewrittenColumns.of(context.manifest().schema(), assignments.columns());
      columns.requireWritable(context.store().uri());
    }

    void read(Optional<Predicate> filter) throws IOException {
      Manifest manifest = context.manifest();
      all = filter.map(predicate -> predicate.constant().orElse(false)).orElse(true);
      List<String> names = new ArrayList<>(assignments.inputs());
      names.remove(SystemColumns.ROW_ADDRESS);
      ScanOptions every = ScanOptions.of(names).withRowAddress().withBlobs(BlobMode.BYTES);
      ScanOptions scan = filter.map(every::withFilter).orElse(every);
      try (BatchReader reader =
          new Scan(manifest.schema(), manifest.fragments(), context.files(), scan)
              .read(context.allocator())) {
        while (reader.next()) {
          take(reader.batch());
        }
      }
      finishOpen();
    }

    private void take(VectorSchemaRoot batch) throws IOException {
      UInt8Vector addresses = (UInt8Vector) batch.getVector(SystemColumns.ROW_ADDRESS);
      List<Field> fields = columns.fields();
      try {
        assignments.apply(batch, fields, context.allocator(), values -> take(addresses, values));
      } catch (PredicateEvaluationException e) {
        throw e.in(RowUpdate.place(context, addresses.get(e.row())));
      }
      rows += batch.getRowCount();
    }

    /** Gives each fragment its rows. */
    private void take(UInt8Vector addresses, VectorSchemaRoot values) throws IOException {
      int from = 0;
      while (from < values.getRowCount()) {
        long id = RowAddress.fragmentId(addresses.get(from));
        int to = from;
        while (to < values.getRowCount() && RowAddress.fragmentId(addresses.get(to)) == id) {
          to++;
        }
        long[] offsets = new long[to - from];
        for (int i = from; i < to; i++) {
          offsets[i - from] = RowAddress.offset(addresses.get(i));
        }
        begin(id);
        if (open != null) {
          try (VectorSchemaRoot part = values.slice(from, to - from)) {
            open.add(offsets, part);
          }
        }
        from = to;
      }
    }

    private void begin(long id) throws IOException {
      if (id == fragmentId) {
        return;
      }
      finishOpen();
      fragmentId = id;
      fragments++;
      if (dryRun) {
        return;
      }
      Fragment fragment = context.manifest().fragment(id).orElseThrow();
      boolean whole = all && fragment.deletionFile().isEmpty();
      open =
          whole
              ? ColumnPatch.beginAll(context, fragment, columns.names())
              : ColumnPatch.begin(context, fragment, columns.names());
      patches.add(open);
    }

    private void finishOpen() throws IOException {
      if (open != null) {
        patched.add(open.finish());
        open = null;
      }
    }

    void keep() {
      patches.forEach(ColumnPatch::keep);
    }

    long sizeBytes() {
      return patches.stream().mapToLong(ColumnPatch::sizeBytes).sum();
    }

    @Override
    public void close() throws IOException {
      Closing.all(patches);
    }
  }
}
