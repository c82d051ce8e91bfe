package dev.narwhal.lance.transaction;

import dev.narwhal.lance.error.LanceFormatException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What becomes of a transaction when another one was committed after the version it read. Pure.
 * Source: table format sheet 8.2 to 8.7.
 *
 * <p>The relation has a direction: the row of the table is the transaction that wants to be
 * committed, the column the one that is committed already. The rules are those that real Lance
 * 7.0.0 follows. Where its own specification, or a later release, is safer, we follow that:
 *
 * <ul>
 *   <li>a DataReplacement of a fragment that is gone is incompatible, not a failure further on; of
 *       one that an Update changed it is retried, and so it is after a Merge;
 *   <li>a Merge or Project, which brings the whole schema, is retried when metadata of the schema
 *       or of fields was changed meanwhile, which would be lost silently;
 *   <li>a Rewrite and a change of the record of rewritten fragments are retried, also where 7.0.0
 *       would let them pass (8.5);
 *   <li>a CreateIndex on a column that a Merge or Project dropped is incompatible, not a failure
 *       further on;
 *   <li>an operation that is not known conflicts with everything, in both directions.
 * </ul>
 */
public final class ConflictRules {
  /** The outcome for a pair. */
  public enum Verdict {
    /** The transaction is committed as if the other one had come first anyway. */
    COMPATIBLE,
    /** The same fragments are touched: it depends on the rows, see {@link Rebase}. */
    REBASABLE,
    /** The operation must be run again on the newest version. */
    RETRYABLE,
    /** The transaction cannot be committed any more. */
    INCOMPATIBLE
  }

  /** What the words of the table mean. */
  private static final Map<String, Rule> RULES = rules();

  // our transaction, then what was committed: both in the order of OperationKind
  private static final String TABLE =
      """
      #                App  Del  Upd  Rew  Mrg  Prj  DRp  Ovw  Rst  Rsv  Cfg  Idx  Wal  Bas  Cln  Opq
      Append           .    .    .    .    .    .    .    X    X    .    .    .    X    .    .    X
      Delete           .    row  row  frag R    .    frag X    X    .    .    .    X    .    .    X
      Update           keys row  upd  frag R    .    frag X    X    .    .    .    gen  .    .    X
      Rewrite          .    frag frag frag R    .    frag X    X    .    .    rwix .    .    .    X
      Merge            R    R    R    R    R    X    R    X    X    .    meta .    X    .    .    X
      Project          .    .    .    .    R    R    .    X    X    .    meta .    X    .    .    X
      DataReplacement  .    gone over frag R    .    same X    X    .    .    rpix X    .    .    X
      Overwrite        .    .    .    .    .    .    .    ovw  .    .    ckey .    X    .    .    X
      Restore          .    .    .    .    .    .    .    .    .    .    .    .    X    .    .    X
      ReserveFragments .    .    .    .    .    .    .    X    X    .    .    .    .    .    .    X
      UpdateConfig     .    .    .    .    .    .    .    cfov .    .    cfg  .    .    .    .    X
      CreateIndex      .    .    .    ixrw ixsc ixsc ixrp X    X    .    .    name X    .    .    X
      UpdateMemWal     X    X    walu .    X    X    X    X    X    .    .    .    gen  .    X    X
      UpdateBases      .    .    .    .    .    .    .    .    .    .    .    .    .    base .    X
      Clone            .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    X
      Opaque           X    X    X    X    X    X    X    X    X    X    X    X    X    X    X    X
      """;

  private static final Map<OperationKind, Map<OperationKind, Rule>> MATRIX = parse();

  private ConflictRules() {}

  /** A cell of the table. */
  @FunctionalInterface
  interface Rule {
    /**
     * The outcome for a pair of the two kinds.
     *
     * @param rowsKnown whether it is known which rows our transaction removes
     */
    Verdict judge(Operation ours, boolean rowsKnown, Operation theirs);
  }

  /**
   * The outcome.
   *
   * @param ours what is to be committed
   * @param rowsKnown whether it is known which rows it removes, so that it can be rebased
   * @param theirs what was committed since the version that ours read
   */
  public static Verdict judge(Operation ours, boolean rowsKnown, Operation theirs) {
    Map<OperationKind, Rule> row = MATRIX.getOrDefault(OperationKind.of(ours), Map.of());
    Rule rule = row.getOrDefault(OperationKind.of(theirs), (a, rows, b) -> Verdict.INCOMPATIBLE);
    try {
      return rule.judge(ours, rowsKnown, theirs);
    } catch (LanceFormatException e) {
      // an index or a filter of theirs, or ours, that cannot be read: the safe side
      return Verdict.RETRYABLE;
    }
  }

  private static Map<String, Rule> rules() {
    Map<String, Rule> rules = new HashMap<>();
    rules.put(".", (ours, rows, theirs) -> Verdict.COMPATIBLE);
    rules.put("R", (ours, rows, theirs) -> Verdict.RETRYABLE);
    rules.put("X", (ours, rows, theirs) -> Verdict.INCOMPATIBLE);
    rules.putAll(FragmentRules.ALL);
    rules.putAll(TableRules.ALL);
    return rules;
  }

  private static Map<OperationKind, Map<OperationKind, Rule>> parse() {
    Map<OperationKind, Map<OperationKind, Rule>> matrix = new EnumMap<>(OperationKind.class);
    OperationKind[] kinds = OperationKind.values();
    List<String> lines = TABLE.lines().skip(1).toList();
    for (int row = 0; row < kinds.length; row++) {
      String[] cells = lines.get(row).split(" +", -1);
      Map<OperationKind, Rule> rules = new EnumMap<>(OperationKind.class);
      for (int column = 0; column < kinds.length; column++) {
        String word = cells[column + 1];
        Rule rule = RULES.get(word);
        if (rule == null) {
          throw new IllegalStateException("no rule is called " + word);
        }
        rules.put(kinds[column], rule);
      }
      matrix.put(kinds[row], rules);
    }
    return matrix;
  }
}
