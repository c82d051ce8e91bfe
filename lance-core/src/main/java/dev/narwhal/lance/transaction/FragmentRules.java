package dev.narwhal.lance.transaction;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FragmentBitmap;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.transaction.ConflictRules.Rule;
import dev.narwhal.lance.transaction.ConflictRules.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The cells of {@link ConflictRules} that look at fragments, rows and fields. Source: table format
 * sheet 8.3.
 */
final class FragmentRules {
  static final Map<String, Rule> ALL =
      Map.ofEntries(
          Map.entry("row", FragmentRules::sameRows),
          Map.entry("frag", FragmentRules::sameFragments),
          Map.entry("keys", FragmentRules::insertedKeys),
          Map.entry("upd", FragmentRules::twoUpdates),
          Map.entry("gone", FragmentRules::replacedIsGone),
          Map.entry("over", FragmentRules::replacedIsUpdated),
          Map.entry("same", FragmentRules::replacedTwice),
          Map.entry("rpix", (ours, rows, theirs) -> indexedField(theirs, ours)),
          Map.entry("ixrp", (ours, rows, theirs) -> indexedField(ours, theirs)),
          Map.entry("rwix", FragmentRules::rewriteAndIndex),
          Map.entry("ixrw", (ours, rows, theirs) -> indexedFragment(ours, theirs)));

  private FragmentRules() {}

  private static Verdict sameRows(Operation ours, boolean rowsKnown, Operation theirs) {
    if (!Footprint.of(ours).overlaps(Footprint.of(theirs))) {
      return Verdict.COMPATIBLE;
    }
    return rowsKnown && removesRows(ours) ? Verdict.REBASABLE : Verdict.RETRYABLE;
  }

  /**
   * Whether all that an operation does to rows of a fragment is to remove them. An Update of whole
   * columns leaves them in place: united with the deletions of others, its rows would be deleted
   * and its new values lost.
   */
  private static boolean removesRows(Operation operation) {
    return !(operation instanceof Operation.Update update)
        || update.mode() != Operation.UpdateMode.REWRITE_COLUMNS;
  }

  private static Verdict sameFragments(Operation ours, boolean rowsKnown, Operation theirs) {
    return retryIf(Footprint.of(ours).overlaps(Footprint.of(theirs)));
  }

  /** An append may hold a key that we insert. */
  private static Verdict insertedKeys(Operation ours, boolean rowsKnown, Operation theirs) {
    return retryIf(((Operation.Update) ours).insertedKeys().isPresent());
  }

  private static Verdict twoUpdates(Operation ours, boolean rowsKnown, Operation theirs) {
    Optional<Operation.KeyFilter> keys = ((Operation.Update) ours).insertedKeys();
    Optional<Operation.KeyFilter> others = ((Operation.Update) theirs).insertedKeys();
    boolean sameKey =
        keys.isPresent()
            && (others.isEmpty() || KeyFilterCodec.mayShareKeys(keys.get(), others.get()));
    Verdict byGeneration = TableRules.sameGeneration(ours, theirs);
    if (byGeneration != Verdict.COMPATIBLE) {
      return byGeneration;
    }
    return sameKey ? Verdict.RETRYABLE : sameRows(ours, rowsKnown, theirs);
  }

  /** 7.0.0 lets it pass and then fails to build the manifest. */
  private static Verdict replacedIsGone(Operation ours, boolean rowsKnown, Operation theirs) {
    Set<Long> removed = Footprint.of(theirs).removed();
    return Footprint.of(ours).updated().stream().anyMatch(removed::contains)
        ? Verdict.INCOMPATIBLE
        : Verdict.COMPATIBLE;
  }

  /** 7.0.0 lets it pass, and writes old values over the rows that were changed. */
  private static Verdict replacedIsUpdated(Operation ours, boolean rowsKnown, Operation theirs) {
    Verdict gone = replacedIsGone(ours, rowsKnown, theirs);
    return gone == Verdict.COMPATIBLE ? sameFragments(ours, rowsKnown, theirs) : gone;
  }

  private static Verdict replacedTwice(Operation ours, boolean rowsKnown, Operation theirs) {
    for (Operation.Replacement first : ((Operation.DataReplacement) ours).replacements()) {
      for (Operation.Replacement second : ((Operation.DataReplacement) theirs).replacements()) {
        if (first.fragmentId() == second.fragmentId()
            && first.newFile().fields().stream().anyMatch(second.newFile().fields()::contains)) {
          return Verdict.RETRYABLE;
        }
      }
    }
    return Verdict.COMPATIBLE;
  }

  /** The fragment is not considered, as in 7.0.0, which is stricter than its specification. */
  private static Verdict indexedField(Operation createIndex, Operation dataReplacement) {
    Set<Integer> replaced = new HashSet<>();
    for (Operation.Replacement file :
        ((Operation.DataReplacement) dataReplacement).replacements()) {
      replaced.addAll(file.newFile().fields());
    }
    for (IndexMetadata index : ((Operation.CreateIndex) createIndex).newIndices()) {
      if (index.fields().stream().anyMatch(replaced::contains)) {
        return Verdict.RETRYABLE;
      }
    }
    return Verdict.COMPATIBLE;
  }

  /** Also when an index that we mapped was dropped or replaced: ours would bring it back. */
  private static Verdict rewriteAndIndex(Operation ours, boolean rowsKnown, Operation theirs) {
    Set<UUID> removed = new HashSet<>();
    for (IndexMetadata index : ((Operation.CreateIndex) theirs).removedIndices()) {
      removed.add(index.uuid());
    }
    for (Operation.RewrittenIndex index : ((Operation.Rewrite) ours).rewrittenIndices()) {
      if (removed.contains(index.oldId())) {
        return Verdict.RETRYABLE;
      }
    }
    return indexedFragment(theirs, ours);
  }

  /**
   * A new index over fragments that were rewritten. Tables with stable row ids are no exception in
   * 7.0.0, though its specification says so. An index that does not tell what it covers, as those
   * of the format itself, is run again: 7.0.0 lets a record of rewritten fragments pass, or refuses
   * it, depending on whether the Rewrite deferred its indices, which no transaction tells.
   */
  private static Verdict indexedFragment(Operation createIndex, Operation rewrite) {
    List<IndexMetadata> indices = ((Operation.CreateIndex) createIndex).newIndices();
    for (IndexMetadata index : indices) {
      Optional<FragmentBitmap> covered = index.fragmentBitmap();
      if (covered.isEmpty()) {
        return Verdict.RETRYABLE;
      }
      for (Operation.RewriteGroup group : ((Operation.Rewrite) rewrite).groups()) {
        for (Fragment fragment : group.oldFragments()) {
          if (covered.get().contains(fragment.id())) {
            return Verdict.RETRYABLE;
          }
        }
      }
    }
    return Verdict.COMPATIBLE;
  }

  private static Verdict retryIf(boolean conflict) {
    return conflict ? Verdict.RETRYABLE : Verdict.COMPATIBLE;
  }
}
