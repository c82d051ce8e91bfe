package dev.narwhal.lance.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.proto.table.Transaction.KeyExistenceFilter;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.transaction.ConflictRules.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConflictRulesTest {
  private static final Map<String, Supplier<Operation>> SAMPLES =
      Map.ofEntries(
          Map.entry("Append", SampleOperations::append),
          Map.entry("DelF0", () -> SampleOperations.delete(0)),
          Map.entry("RemF0", () -> SampleOperations.remove(0)),
          Map.entry("DelF1", () -> SampleOperations.delete(1)),
          Map.entry("UpdF0", () -> SampleOperations.update(0)),
          Map.entry("ColF0", () -> SampleOperations.updateColumns(0)),
          Map.entry("RewF0", () -> SampleOperations.rewrite(0)),
          Map.entry("RewF1", () -> SampleOperations.rewrite(1)),
          Map.entry("Merge", SampleOperations::merge),
          Map.entry("Project", SampleOperations::project),
          Map.entry("DRepF0", () -> SampleOperations.replace(0)),
          Map.entry("DRepF1", () -> SampleOperations.replace(1)),
          Map.entry("Ovw", () -> SampleOperations.overwrite(Map.of())),
          Map.entry("OvwA", () -> SampleOperations.overwrite(Map.of("A", "1"))),
          Map.entry("Restore", () -> new Operation.Restore(1, UnknownFields.none())),
          Map.entry("Reserve", () -> new Operation.ReserveFragments(2, UnknownFields.none())),
          Map.entry("CfgA", () -> SampleOperations.config("A")),
          Map.entry("CfgB", () -> SampleOperations.config("B")),
          Map.entry("CfgSch", () -> config(false)),
          Map.entry("CfgTab", () -> config(true)),
          Map.entry("IdxC", () -> SampleOperations.createIndex(1, "c_idx")),
          Map.entry("IdxId", () -> SampleOperations.createIndex(0, "id_idx")));

  /**
   * Measured on real Lance 7.0.0 with hand-built transactions, so that nothing was known of rows:
   * table format sheet 8.2. Ours is the line, what was committed before it the column.
   */
  private static final String MEASURED =
      """
      #        Append DelF0 RemF0 DelF1 UpdF0 ColF0 RewF0 RewF1 Merge Project DRepF0 DRepF1 Ovw OvwA Restore Reserve CfgA CfgB CfgSch CfgTab IdxC IdxId
      Append   .      .     .     .     .     .     .     .     .     .       .      .      X   X    X       .       .    .    .      .      .    .
      DelF0    .      R     R     .     R     R     R     .     R     .       R      .      X   X    X       .       .    .    .      .      .    .
      RemF0    .      R     R     .     R     R     R     .     R     .       R      .      X   X    X       .       .    .    .      .      .    .
      DelF1    .      .     .     R     .     .     .     R     R     .       .      R      X   X    X       .       .    .    .      .      .    .
      UpdF0    .      R     R     .     R     R     R     .     R     .       R      .      X   X    X       .       .    .    .      .      .    .
      ColF0    .      R     R     .     R     R     R     .     R     .       R      .      X   X    X       .       .    .    .      .      .    .
      RewF0    .      R     R     .     R     R     R     .     R     .       R      .      X   X    X       .       .    .    .      .      R    R
      RewF1    .      .     .     R     .     .     .     R     R     .       .      R      X   X    X       .       .    .    .      .      R    R
      Merge    R      R     R     R     R     R     R     R     R     X       R      R      X   X    X       .       .    .    .      .      .    .
      Project  .      .     .     .     .     .     .     .     R     R       .      .      X   X    X       .       .    .    .      .      .    .
      DRepF0   .      .     E     .     .     .     R     .     .     .       R      .      X   X    X       .       .    .    .      .      R    .
      Ovw      .      .     .     .     .     .     .     .     .     .       .      .      R   R    .       .       .    .    .      .      .    .
      OvwA     .      .     .     .     .     .     .     .     .     .       .      .      R   X    .       .       X    .    .      .      .    .
      Restore  .      .     .     .     .     .     .     .     .     .       .      .      .   .    .       .       .    .    .      .      .    .
      Reserve  .      .     .     .     .     .     .     .     .     .       .      .      X   X    X       .       .    .    .      .      .    .
      CfgA     .      .     .     .     .     .     .     .     .     .       .      .      .   X    .       .       X    .    .      .      .    .
      CfgB     .      .     .     .     .     .     .     .     .     .       .      .      .   .    .       .       .    X    .      .      .    .
      CfgSch   .      .     .     .     .     .     .     .     .     .       .      .      X   X    .       .       .    .    X      .      .    .
      CfgTab   .      .     .     .     .     .     .     .     .     .       .      .      .   .    .       .       .    .    .      X      .    .
      IdxC     .      .     .     .     .     .     R     R     .     .       R      R      X   X    X       .       .    .    .      .      R    .
      IdxId    .      .     .     .     .     .     R     R     .     .       .      .      X   X    X       .       .    .    .      .      .    R
      """;

  /** Where we are safer than 7.0.0, with the specification's text or a later release. */
  private static final Map<String, Verdict> SAFER =
      Map.of(
          "DRepF0 RemF0", Verdict.INCOMPATIBLE,
          "DRepF0 UpdF0", Verdict.RETRYABLE,
          "DRepF0 ColF0", Verdict.RETRYABLE,
          "DRepF0 Merge", Verdict.RETRYABLE,
          "Merge CfgSch", Verdict.RETRYABLE,
          "Project CfgSch", Verdict.RETRYABLE);

  static Stream<Arguments> measured() {
    List<String> lines = MEASURED.lines().toList();
    String[] columns = lines.get(0).split(" +");
    List<Arguments> pairs = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(" +");
      assertThat(cells).hasSameSizeAs(columns);
      for (int i = 1; i < cells.length; i++) {
        pairs.add(Arguments.of(cells[0], columns[i], cells[i]));
      }
    }
    return pairs.stream();
  }

  @ParameterizedTest(name = "{0} after {1}: {2}")
  @MethodSource("measured")
  void judgesAsRealLanceDoesOrSafer(String ours, String theirs, String letter) {
    Verdict measured =
        switch (letter) {
          case "." -> Verdict.COMPATIBLE;
          case "R" -> Verdict.RETRYABLE;
          case "X" -> Verdict.INCOMPATIBLE;
          default -> Verdict.REBASABLE; // fails further on
        };
    Verdict expected = SAFER.getOrDefault(ours + " " + theirs, measured);
    assertThat(judge(sample(ours), false, sample(theirs))).isEqualTo(expected);
    assertThat(expected == measured)
        .as("a difference is listed once, and is one")
        .isEqualTo(!SAFER.containsKey(ours + " " + theirs));
  }

  @ParameterizedTest(name = "{0} after {1}: {2}")
  @MethodSource("measured")
  void knownRowsMakeDeletesAndRowUpdatesOfOneFragmentRebasable(
      String ours, String theirs, String letter) {
    // not ColF0: an Update of columns removes no rows, whatever its caller says of them
    boolean rows =
        List.of("DelF0", "RemF0", "DelF1", "UpdF0").contains(ours)
            && List.of("DelF0", "RemF0", "DelF1", "UpdF0", "ColF0").contains(theirs);
    Verdict unknown = judge(sample(ours), false, sample(theirs));
    assertThat(judge(sample(ours), true, sample(theirs)))
        .isEqualTo(rows && letter.equals("R") ? Verdict.REBASABLE : unknown);
  }

  @ParameterizedTest
  @EnumSource(OperationKind.class)
  void operationsOfNewerWritersConflictWithEverything(OperationKind kind) {
    Operation opaque = new Operation.Opaque(116, "Operation 116", UnknownFields.none());
    for (Operation operation : oneOfEach()) {
      if (OperationKind.of(operation) == kind) {
        assertThat(judge(operation, true, opaque)).isEqualTo(Verdict.INCOMPATIBLE);
        assertThat(judge(opaque, true, operation)).isEqualTo(Verdict.INCOMPATIBLE);
        return;
      }
    }
    throw new AssertionError("no sample of " + kind);
  }

  @Test
  void writeAheadLogStatesGoWithFewOthersAndInTheirOrder() {
    Operation state = wal(SampleOperations.generation(1, 5));
    for (Operation other : oneOfEach()) {
      Verdict ours = judge(state, false, other);
      Verdict theirs = judge(other, false, state);
      switch (OperationKind.of(other)) {
        case UPDATE_CONFIG, REWRITE, CREATE_INDEX, RESERVE_FRAGMENTS, UPDATE_BASES ->
            assertThat(ours).isEqualTo(Verdict.COMPATIBLE);
        default -> assertThat(ours).isEqualTo(Verdict.INCOMPATIBLE);
      }
      switch (OperationKind.of(other)) {
        case REWRITE, UPDATE_CONFIG, RESERVE_FRAGMENTS, UPDATE_BASES, CLONE, UPDATE ->
            assertThat(theirs).isEqualTo(Verdict.COMPATIBLE);
        default -> assertThat(theirs).isEqualTo(Verdict.INCOMPATIBLE);
      }
    }
    assertThat(judge(state, false, wal(SampleOperations.generation(1, 4))))
        .isEqualTo(Verdict.RETRYABLE);
    assertThat(judge(state, false, wal(SampleOperations.generation(1, -1))))
        .isEqualTo(Verdict.INCOMPATIBLE);
    assertThat(judge(state, false, wal(SampleOperations.generation(2, 9))))
        .isEqualTo(Verdict.COMPATIBLE);
    Operation update =
        SampleOperations.update(
            0,
            Operation.UpdateMode.REWRITE_ROWS,
            List.of(SampleOperations.generation(1, 5)),
            Optional.empty());
    assertThat(judge(update, false, state)).isEqualTo(Verdict.INCOMPATIBLE);
    assertThat(judge(state, false, update)).isEqualTo(Verdict.INCOMPATIBLE);
  }

  /**
   * Table format sheet 8.5. 7.0.0 tells a Rewrite that deferred its indices from another one by
   * what no transaction says, and lets some of these pass; whoever only has the transaction is
   * safer so.
   */
  @Test
  void aRewriteAndAChangeOfTheRecordOfRewrittenFragmentsAreRunAgain() {
    IndexMetadata like = SampleOperations.index(0, IndexMetadata.FRAGMENT_REUSE);
    IndexMetadata reuse = like.withFragmentBitmap(Optional.empty());
    IndexMetadata older =
        SampleOperations.index(1, IndexMetadata.FRAGMENT_REUSE)
            .withFragmentBitmap(Optional.empty());
    Operation rewrite = SampleOperations.rewrite(0);
    for (Operation trim :
        List.of(
            new Operation.CreateIndex(List.of(reuse), List.of(older), UnknownFields.none()),
            new Operation.CreateIndex(List.of(reuse), List.of(), UnknownFields.none()))) {
      assertThat(judge(trim, false, rewrite)).isEqualTo(Verdict.RETRYABLE);
      assertThat(judge(rewrite, false, trim)).isEqualTo(Verdict.RETRYABLE);
    }
  }

  @Test
  void insertedKeysMustNotBeInsertedTwice() {
    Operation plain = SampleOperations.update(1);
    Operation one = inserting(exact(List.of(0), 1, 2));
    assertThat(judge(one, true, inserting1(exact(List.of(0), 2, 3)))).isEqualTo(Verdict.RETRYABLE);
    assertThat(judge(one, true, inserting1(exact(List.of(0), 3)))).isEqualTo(Verdict.COMPATIBLE);
    assertThat(judge(one, true, inserting1(exact(List.of(1), 3)))).isEqualTo(Verdict.RETRYABLE);
    assertThat(judge(one, true, inserting1(bloom(1)))).isEqualTo(Verdict.RETRYABLE);
    assertThat(judge(inserting(bloom(1)), true, inserting1(bloom(2))))
        .isEqualTo(Verdict.COMPATIBLE);
    assertThat(judge(inserting(bloom(3)), true, inserting1(bloom(2)))).isEqualTo(Verdict.RETRYABLE);
    assertThat(judge(one, true, plain)).isEqualTo(Verdict.RETRYABLE);
    assertThat(judge(plain, true, one)).isEqualTo(Verdict.COMPATIBLE);
    assertThat(judge(one, true, SampleOperations.append())).isEqualTo(Verdict.RETRYABLE);
    assertThat(judge(SampleOperations.append(), true, one)).isEqualTo(Verdict.COMPATIBLE);
  }

  @Test
  void basePathsClashByIdNameOrPath() {
    Operation ours = SampleOperations.bases(3, "n", "p");
    assertThat(judge(ours, false, SampleOperations.bases(3, "m", "q")))
        .isEqualTo(Verdict.INCOMPATIBLE);
    assertThat(judge(ours, false, SampleOperations.bases(4, "n", "q")))
        .isEqualTo(Verdict.INCOMPATIBLE);
    assertThat(judge(ours, false, SampleOperations.bases(4, "m", "p")))
        .isEqualTo(Verdict.INCOMPATIBLE);
    assertThat(judge(ours, false, SampleOperations.bases(4, "m", "q")))
        .isEqualTo(Verdict.COMPATIBLE);
    assertThat(
            judge(SampleOperations.bases(0, "n", "p"), false, SampleOperations.bases(0, "m", "q")))
        .as("id 0 asks for one")
        .isEqualTo(Verdict.COMPATIBLE);
  }

  private static List<Operation> oneOfEach() {
    List<Operation> operations = new ArrayList<>();
    for (String name :
        List.of(
            "Append", "DelF0", "UpdF0", "RewF0", "Merge", "Project", "DRepF0", "Ovw", "Restore",
            "Reserve", "CfgA", "IdxC")) {
      operations.add(sample(name));
    }
    operations.add(wal(SampleOperations.generation(1, 5)));
    operations.add(SampleOperations.bases(1, "n", "p"));
    operations.add(
        new Operation.Clone(
            true, Optional.empty(), 1, "p", Optional.empty(), UnknownFields.none()));
    operations.add(new Operation.Opaque(117, "Operation 117", UnknownFields.none()));
    return operations;
  }

  private static Operation sample(String name) {
    return SAMPLES
        .getOrDefault(
            name,
            () -> {
              throw new AssertionError(name);
            })
        .get();
  }

  private static Verdict judge(Operation ours, boolean rowsKnown, Operation theirs) {
    return ConflictRules.judge(ours, rowsKnown, theirs);
  }

  private static Operation config(boolean table) {
    Optional<Operation.UpdateMap> map = Optional.of(SampleOperations.map("k"));
    return SampleOperations.config(
        Optional.empty(), table ? map : Optional.empty(), table ? Optional.empty() : map);
  }

  private static Operation wal(Operation.MergedGeneration generation) {
    return new Operation.UpdateMemWalState(List.of(generation), UnknownFields.none());
  }

  private static Operation inserting(Operation.KeyFilter keys) {
    return SampleOperations.update(
        0, Operation.UpdateMode.REWRITE_ROWS, List.of(), Optional.of(keys));
  }

  private static Operation inserting1(Operation.KeyFilter keys) {
    return SampleOperations.update(
        1, Operation.UpdateMode.REWRITE_ROWS, List.of(), Optional.of(keys));
  }

  private static Operation.KeyFilter exact(List<Integer> fields, long... hashes) {
    KeyExistenceFilter.ExactKeySetFilter.Builder filter =
        KeyExistenceFilter.ExactKeySetFilter.newBuilder();
    for (long hash : hashes) {
      filter.addKeyHashes(hash);
    }
    return new Operation.KeyFilter(
        fields,
        UnknownFields.of(KeyExistenceFilter.newBuilder().setExact(filter).build().toByteArray()));
  }

  private static Operation.KeyFilter bloom(int bits) {
    return new Operation.KeyFilter(
        List.of(0),
        UnknownFields.of(
            KeyExistenceFilter.newBuilder()
                .setBloom(
                    KeyExistenceFilter.BloomFilter.newBuilder()
                        .setBitmap(ByteString.copyFrom(new byte[] {(byte) bits, 0}))
                        .setNumBits(16))
                .build()
                .toByteArray()));
  }
}
