package dev.narwhal.lance.write.update;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.write.FragmentWriter;
import dev.narwhal.lance.write.Retries;
import dev.narwhal.lance.write.RowMove;
import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Sets columns of rows: writes the rows anew to new fragments, deletes the old ones, and commits
 * both; after a conflict that allows it, all over again on the newest version. Rows keep their
 * stable ids, where the table has such, and the version that made them. Source: table format sheet
 * 6.2.
 *
 * <pre>{@code
 * dataset.update()
 *     .where("id = 42")
 *     .set("text", "upper(text)")
 *     .set("seen", "seen + 1")
 *     .execute();
 * }</pre>
 *
 * <p>Rows are read, computed and written batch by batch; all that grows with their number is a
 * bitmap of where they were, and runs of their ids. An update that fails removes the files it
 * wrote. When the outcome of the commit is not known, everything stays. One thread; reading and
 * encoding use all cores.
 */
public final class RowUpdate {
  private final WriteContext context;
  private final Map<String, String> set = new LinkedHashMap<>();
  private Optional<String> where = Optional.empty();
  private UpdateOptions options = UpdateOptions.standard();

  /**
   * @param context the version to begin with
   */
  public RowUpdate(WriteContext context) {
    this.context = requireNonNull(context, "context");
  }

  /** Only live rows for which a condition is true; without one all of them. */
  public RowUpdate where(String predicate) {
    where = Optional.of(predicate);
    return this;
  }

  /**
   * Sets a column.
   *
   * @param column a top-level column, its name as in the schema
   * @param sql a value in the dialect of {@link dev.narwhal.lance.predicate.Projection}, cast to
   *     the column's type; columns in it have the values from before the update
   * @throws IllegalArgumentException when the column is set already
   */
  public RowUpdate set(String column, String sql) {
    if (set.putIfAbsent(column, requireNonNull(sql, "sql")) != null) {
      throw new IllegalArgumentException("column '" + column + "' is set twice");
    }
    return this;
  }

  public RowUpdate withOptions(UpdateOptions other) {
    options = requireNonNull(other, "other");
    return this;
  }

  /**
   * Updates the rows and commits. When no row matches, nothing is written and the version stays.
   *
   * @throws IllegalArgumentException when nothing is set, or a column cannot be set
   * @throws dev.narwhal.lance.error.InvalidPredicateException when a text cannot be understood
   * @throws PredicateEvaluationException when a row has no result: overflow, a failed cast, null
   *     for a column that is not nullable; the message names fragment and row
   * @throws dev.narwhal.lance.error.RetryableConflictException when other commits came first,
   *     attempt after attempt
   */
  public UpdateResult execute() throws IOException {
    return options.retries().run(context, this::attempt);
  }

  private UpdateResult attempt(Retries.Attempt attempt) throws IOException {
    WriteContext current = attempt.context();
    Manifest manifest = current.manifest();
    Assignments assignments = Assignments.of(manifest.schema(), set);
    RewrittenColumns.of(manifest.schema(), assignments.allColumns())
        .requireWritable(current.store().uri());
    MovedRows moved = new MovedRows();
    if (options.dryRun()) {
      read(current, assignments, moved, rows -> {});
      return new UpdateResult(
          manifest.version(), moved.rows(), moved.places().size(), 0, 0, 0, attempt.earlier());
    }
    try (FragmentWriter writer =
        FragmentWriter.create(
            current.store(), manifest.schema(), options.limits(), writerOptions(manifest))) {
      read(current, assignments, moved, writer::write);
      List<Fragment> written = writer.finish();
      return moved.rows() == 0
          ? UpdateResult.nothing(manifest.version(), attempt.earlier())
          : commit(attempt, assignments, moved, writer, written);
    }
  }

  private UpdateResult commit(
      Retries.Attempt attempt,
      Assignments assignments,
      MovedRows moved,
      FragmentWriter writer,
      List<Fragment> written)
      throws IOException {
    WriteContext current = attempt.context();
    boolean stable = current.manifest().stableRowIds();
    RowMove.Content content =
        new RowMove.Content(
            moved.places(),
            stable ? moved.withIds(written) : written,
            assignments.fieldIds(),
            Optional.empty());
    RowMove.Outcome outcome =
        writer.commit(
            () ->
                new RowMove(current, options.layout())
                    .commit(content, attempt.bound(options.commit())));
    return new UpdateResult(
        outcome.committed().location().version(),
        moved.rows(),
        outcome.fragmentsUpdated(),
        outcome.fragmentsDropped(),
        written.size(),
        writer.sizeBytes() + outcome.bytesWritten(),
        attempt.earlier() + outcome.committed().attempts());
  }

  private void read(
      WriteContext current, Assignments assignments, MovedRows moved, Assignments.Taker taker)
      throws IOException {
    Manifest manifest = current.manifest();
    List<Field> fields = assignments.schema().getFields();
    try (BatchReader reader =
        new Scan(
                manifest.schema(),
                manifest.fragments(),
                current.files(),
                scan(current, assignments))
            .read(current.allocator())) {
      while (reader.next()) {
        VectorSchemaRoot batch = reader.batch();
        UInt8Vector addresses = (UInt8Vector) batch.getVector(SystemColumns.ROW_ADDRESS);
        moved.add(addresses);
        if (manifest.stableRowIds()) {
          moved.addIds((UInt8Vector) batch.getVector(SystemColumns.ROW_ID));
        }
        try {
          assignments.apply(batch, fields, current.allocator(), taker);
        } catch (PredicateEvaluationException e) {
          throw e.in(place(current, addresses.get(e.row())));
        }
      }
    }
  }

  private ScanOptions scan(WriteContext current, Assignments assignments) {
    List<String> names = new ArrayList<>();
    assignments.schema().getFields().forEach(field -> names.add(field.getName()));
    assignments.inputs().stream().filter(name -> !names.contains(name)).forEach(names::add);
    names.removeAll(List.of(SystemColumns.ROW_ADDRESS, SystemColumns.ROW_ID));
    ScanOptions scan = ScanOptions.of(names).withRowAddress().withRowId().withBlobs(BlobMode.BYTES);
    return where.map(text -> scan.withFilter(current.predicate(text))).orElse(scan);
  }

  static String place(WriteContext current, long address) {
    return current.store().uri()
        + ": fragment "
        + RowAddress.fragmentId(address)
        + ", row offset "
        + RowAddress.offset(address);
  }

  static WriterOptions writerOptions(Manifest manifest) {
    return WriterOptions.of(FileVersion.named(manifest.dataFormat().version()));
  }
}
