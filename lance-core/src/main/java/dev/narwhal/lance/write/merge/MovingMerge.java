package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.transaction.CommitGuard;
import dev.narwhal.lance.write.FragmentWriter;
import dev.narwhal.lance.write.RowMove;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A merge whose updated rows move to new fragments, together with new ones. Source: table format
 * sheet 7.5.
 */
final class MovingMerge {
  private final MergeStep step;

  MovingMerge(MergeStep step) {
    this.step = step;
  }

  /**
   * Writes and commits.
   *
   * @param guard of the keys that are inserted
   */
  MergeResult run(RowActions actions, CommitGuard guard) throws IOException {
    List<Field> written =
        step.clauses().updates() ? step.columns().table() : step.columns().given();
    try (FragmentWriter writer = step.writer(written)) {
      NewRows rows = new NewRows(step.context(), writer, written, step.columns(), actions.pace());
      MergeStep.Counts counts = step.matched(actions, rows::update);
      Optional<InsertedKeyFilter> keys = step.insertedKeys();
      counts = step.notMatched(actions, counts, rows.inserts(keys));
      List<Fragment> fragments = rows.finish();
      Map<Long, DeletionVector> gone = actions.moved().toVectors();
      counts = step.notMatchedBySource(actions, counts, gone);
      if (fragments.isEmpty() && gone.isEmpty() && !step.options().commitEmpty()) {
        return step.unchanged(counts);
      }
      RowMove.Content content =
          new RowMove.Content(gone, fragments, changedFields(), keys.map(InsertedKeyFilter::build));
      return commit(writer, content, counts, counts.inserted() > 0 ? guard : CommitGuard.none());
    }
  }

  /**
   * What a moved row may have other values in: not in a column that the source lacks, nor in its
   * key, but that zeros of both signs are one key. Real Lance names every top-level field; an index
   * on such a column loses the moved rows by that, and answers twice for them.
   */
  private List<Integer> changedFields() {
    Set<String> changed = new HashSet<>();
    step.columns().given().forEach(field -> changed.add(field.getName()));
    for (Field key : step.source().encoder().columns()) {
      if (!(key.getType() instanceof ArrowType.FloatingPoint)) {
        changed.remove(key.getName());
      }
    }
    return FieldTree.topLevel(step.context().manifest().schema()).stream()
        .filter(tree -> changed.contains(tree.field().name()))
        .flatMap(tree -> tree.ids().stream())
        .toList();
  }

  private MergeResult commit(
      FragmentWriter writer, RowMove.Content content, MergeStep.Counts counts, CommitGuard guard)
      throws IOException {
    RowMove.Outcome outcome =
        writer.commit(
            () ->
                new RowMove(step.context(), step.options().layout())
                    .commit(content, step.attempt().bound(step.options().commitOptions()), guard));
    return new MergeResult(
        outcome.committed().location().version(),
        counts.inserted(),
        counts.updated(),
        counts.deleted(),
        step.attempt().earlier() + outcome.committed().attempts(),
        content.newFragments().size(),
        outcome.bytesWritten() + writer.sizeBytes());
  }
}
