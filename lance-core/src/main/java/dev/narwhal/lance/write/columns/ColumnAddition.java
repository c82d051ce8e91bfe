package dev.narwhal.lance.write.columns;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.Closing;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Committer;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import dev.narwhal.lance.write.ChangeResult;
import dev.narwhal.lance.write.NewFiles;
import dev.narwhal.lance.write.Retries;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.WriteContext;
import dev.narwhal.lance.write.insert.DryRunStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Adds columns, nullable ones, behind those that a table has. No row moves, ids and versions of
 * rows stay: each fragment gets one more data file, with the new columns alone; columns of nulls
 * need none. Every other commit since is a conflict, after which the values are worked out anew
 * where they can be. An addition that fails removes its files. One thread. Source: table format
 * sheet 9.2, "Merge".
 */
public final class ColumnAddition {
  private final WriteContext context;
  private final CommitOptions options;
  private final Retries retries;
  private final boolean dryRun;

  /**
   * @param context the version to begin with
   */
  public ColumnAddition(WriteContext context) {
    this(context, CommitOptions.standard(), Retries.standard(), false);
  }

  private ColumnAddition(
      WriteContext context, CommitOptions options, Retries retries, boolean dryRun) {
    this.context = requireNonNull(context, "context");
    this.options = requireNonNull(options, "options");
    this.retries = requireNonNull(retries, "retries");
    this.dryRun = dryRun;
  }

  /** How each attempt is committed, and how many attempts there are. */
  public ColumnAddition withOptions(CommitOptions commit, Retries again) {
    return new ColumnAddition(context, commit, again, dryRun);
  }

  /** Computes and checks everything, and commits nothing. */
  public ColumnAddition asDryRun() {
    return new ColumnAddition(context, options, retries, true);
  }

  /**
   * Adds columns that are null in all rows.
   *
   * @param columns all nullable
   * @throws IllegalArgumentException when one is not, or its name is taken
   */
  public ChangeResult nulls(List<Field> columns) throws IOException {
    return add(new NullValues(columns));
  }

  /**
   * Adds a column computed from others.
   *
   * @param sql its value, of which the type is the column's
   * @throws dev.narwhal.lance.error.InvalidPredicateException when it is no value on the table
   * @throws dev.narwhal.lance.error.PredicateEvaluationException when a live row has no value
   */
  public ChangeResult computed(String name, String sql) throws IOException {
    return add(
        new ComputedValues(List.of(new ComputedValues.Computed(name, Optional.empty(), sql))));
  }

  /** The same with a value that is cast to the column's type. */
  public ChangeResult computed(Field column, String sql) throws IOException {
    return add(
        new ComputedValues(
            List.of(new ComputedValues.Computed(column.getName(), Optional.of(column), sql))));
  }

  /**
   * Adds columns whose values come with the address of their row, in a column {@code _rowaddr}, or
   * its id, in {@code _rowid}, in the order of a scan. Rows that are left out get null. Addresses
   * mean the rows of this version: after another commit the addition is not tried again.
   *
   * @param source is read once and not closed
   * @throws IllegalArgumentException when the rows do not come in order, or one comes twice
   * @throws dev.narwhal.lance.error.RowNotFoundException when one is no live row
   */
  public ChangeResult given(RowSource source) throws IOException {
    return add(new KeyedValues(source));
  }

  private ChangeResult add(ColumnValues values) throws IOException {
    return values.repeatable()
        ? retries.run(context, attempt -> attempt(attempt, values))
        : attempt(new Retries.Attempt(context, 0, CommitOptions.NO_TIMEOUT), values);
  }

  private ChangeResult attempt(Retries.Attempt attempt, ColumnValues values) throws IOException {
    WriteContext current = attempt.context();
    List<Field> fields;
    NewColumns columns;
    try {
      fields = values.fields(current);
      columns = NewColumns.of(current.manifest(), fields);
    } catch (InvalidPredicateException e) {
      throw e;
    } catch (UnsupportedFeatureException e) {
      throw e.in(current.store().uri());
    } catch (IllegalArgumentException e) {
      throw at(current, e);
    }
    try (Files files = new Files(dryRun)) {
      List<Fragment> fragments = current.manifest().fragments();
      if (values.writes()) {
        files.open(current, columns);
        try {
          values.fill(current, fields, files.files);
        } catch (IllegalArgumentException e) {
          throw at(current, e);
        }
        fragments = files.finish();
      }
      if (dryRun) {
        return new ChangeResult(current.version(), files.sizeBytes(), attempt.earlier());
      }
      Operation merge = new Operation.Merge(fragments, columns.table(), UnknownFields.none());
      Committed committed =
          NewFiles.commit(
              () ->
                  new Committer(current.store(), current.stores())
                      .commit(
                          Transaction.of(current.version(), merge),
                          current.base(),
                          attempt.bound(options)),
              files::keep);
      return new ChangeResult(
          committed.location().version(),
          committed.bytesWritten() + files.sizeBytes(),
          attempt.earlier() + committed.attempts());
    }
  }

  private static IllegalArgumentException at(
      WriteContext context, IllegalArgumentException failure) {
    return new IllegalArgumentException(
        context.store().uri() + ": " + failure.getMessage(), failure);
  }

  /** One for each fragment of a version. */
  private static final class Files implements Closeable {
    private final List<ColumnFile> files = new ArrayList<>();
    private final boolean dryRun;

    Files(boolean dryRun) {
      this.dryRun = dryRun;
    }

    void open(WriteContext context, NewColumns columns) throws IOException {
      FileVersion version = FileVersion.named(context.manifest().dataFormat().version());
      Scan scan =
          new Scan(
              context.manifest().schema(),
              context.manifest().fragments(),
              context.files(),
              ScanOptions.of(List.of()));
      ObjectStore store = dryRun ? new DryRunStore(context.store().uri()) : context.store();
      for (Fragment fragment : context.manifest().fragments()) {
        files.add(
            new ColumnFile(
                context,
                store,
                fragment,
                scan.physicalRows(fragment),
                columns.added(),
                WriterOptions.of(version)));
      }
    }

    List<Fragment> finish() throws IOException {
      List<Fragment> fragments = new ArrayList<>(files.size());
      for (ColumnFile file : files) {
        fragments.add(file.finish());
      }
      return fragments;
    }

    void keep() {
      files.forEach(ColumnFile::keep);
    }

    long sizeBytes() {
      return files.stream().mapToLong(ColumnFile::sizeBytes).sum();
    }

    @Override
    public void close() throws IOException {
      Closing.all(files);
    }
  }
}
