package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.transaction.CommitGuard;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Committer;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.PatchedOffsetsCodec;
import dev.narwhal.lance.transaction.Transaction;
import dev.narwhal.lance.write.FragmentWriter;
import dev.narwhal.lance.write.NewFiles;
import dev.narwhal.lance.write.update.PatchedFragment;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A merge whose updated rows stay where they are: the source's columns of them are written anew,
 * and new rows to new fragments. Source: table format sheet 6.3 and 7.3.
 */
final class InPlaceMerge {
  private final MergeStep step;

  InPlaceMerge(MergeStep step) {
    this.step = step;
  }

  /**
   * Writes and commits.
   *
   * @param guard of the keys that are inserted
   */
  MergeResult run(RowActions actions, CommitGuard guard) throws IOException {
    List<Field> given = step.columns().given();
    try (FragmentWriter writer = step.writer(given);
        ColumnUpdates updates =
            new ColumnUpdates(step.context(), step.source().rows(), valueColumns())) {
      NewRows rows = new NewRows(step.context(), writer, given, step.columns(), actions.pace());
      MergeStep.Counts counts = step.matched(actions, updates);
      Optional<InsertedKeyFilter> keys = step.insertedKeys();
      counts = step.notMatched(actions, counts, rows.inserts(keys));
      List<Fragment> added = rows.finish();
      List<PatchedFragment> patched = updates.finish();
      if (added.isEmpty() && patched.isEmpty() && !step.options().commitEmpty()) {
        return step.unchanged(counts);
      }
      Operation.Update operation = operation(patched, added, keys.map(InsertedKeyFilter::build));
      CommitGuard guarding = counts.inserted() > 0 ? guard : CommitGuard.none();
      Committed committed =
          NewFiles.commit(() -> writer.commit(() -> commit(operation, guarding)), updates::keep);
      return new MergeResult(
          committed.location().version(),
          counts.inserted(),
          counts.updated(),
          0,
          step.attempt().earlier() + committed.attempts(),
          added.size() + patched.size(),
          committed.bytesWritten() + writer.sizeBytes() + updates.sizeBytes());
    }
  }

  /** Rows do not move: whoever else touched one of the fragments is a conflict. */
  private Committed commit(Operation.Update operation, CommitGuard guard) throws IOException {
    return new Committer(step.context().store(), step.context().stores())
        .commit(
            Transaction.of(step.context().version(), operation),
            step.context().base(),
            step.attempt().bound(step.options().commitOptions()),
            guard);
  }

  private static Operation.Update operation(
      List<PatchedFragment> patched,
      List<Fragment> added,
      Optional<Operation.KeyFilter> insertedKeys) {
    Map<Long, DeletionVector> offsets = new HashMap<>();
    patched.forEach(patch -> offsets.put(patch.fragment().id(), patch.offsets()));
    return Operation.Update.ofColumns(
        patched.stream().map(PatchedFragment::fragment).toList(),
        added,
        patched.isEmpty() ? List.of() : patched.get(0).fieldIds(),
        insertedKeys,
        PatchedOffsetsCodec.encode(offsets));
  }

  /** The source's columns that are not of the key: what matched rows have other values in. */
  private List<String> valueColumns() {
    String place = step.context().store().uri();
    if (step.source().rows().isSpilled()) {
      throw new UnsupportedFeatureException(
          place
              + ": a source that does not fit into "
              + step.options().memoryBytes()
              + " bytes of memory cannot be merged in place; allow more, or let rows move");
    }
    List<String> keys = step.source().encoder().columns().stream().map(Field::getName).toList();
    List<String> values =
        step.columns().given().stream()
            .map(Field::getName)
            .filter(name -> !keys.contains(name))
            .toList();
    if (values.isEmpty()) {
      throw new IllegalArgumentException(
          place + ": the source has no columns but the key, in which matched rows cannot change");
    }
    return values;
  }
}
