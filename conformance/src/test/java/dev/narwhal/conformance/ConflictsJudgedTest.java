package dev.narwhal.conformance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.TransactionStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lance.CommitBuilder;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.fragment.DataFile;
import org.lance.index.Index;
import org.lance.operation.Append;
import org.lance.operation.CreateIndex;
import org.lance.operation.DataReplacement;
import org.lance.operation.Delete;
import org.lance.operation.Merge;
import org.lance.operation.Overwrite;
import org.lance.operation.Project;
import org.lance.operation.ReserveFragments;
import org.lance.operation.Restore;
import org.lance.operation.Rewrite;
import org.lance.operation.RewriteGroup;
import org.lance.operation.Update;
import org.lance.operation.UpdateConfig;
import org.lance.operation.UpdateMap;
import org.lance.schema.SqlExpressions;

/**
 * Every pair of operations that the Java binding can build: real Lance commits the first, then, on
 * two copies of that, real Lance and Narwhal commit the second, which was worked out on the version
 * before. Both must come to the same verdict, and to tables of the same size, but where Narwhal is
 * safer on purpose.
 */
class ConflictsJudgedTest {
  private static final int ROWS = 100;

  /** Second operation, first operation: Narwhal's verdict, then that of real Lance. */
  private static final Map<String, String> SAFER =
      Map.of(
          "DRepF0 after RemF0", "X E",
          "DRepF0 after UpdF0", "R .",
          "DRepF0 after ColF0", "R .",
          "DRepF0 after Merge", "R .",
          "DRepF1 after Merge", "R .",
          "Merge after CfgSchema", "R .",
          "Project after CfgSchema", "R .");

  @TempDir Path folder;

  /** Made anew for each commit, which uses an operation's schema up. */
  private final Map<String, Supplier<org.lance.operation.Operation>> operations =
      new LinkedHashMap<>();

  private final Map<String, Operation> ours = new LinkedHashMap<>();
  private long base;
  private int copies;

  @Test
  void narwhalAndRealLanceComeToTheSameVerdict() throws IOException {
    Path template = folder.resolve("template");
    writeTemplate(template);
    buildOperations(template);
    for (String name : operations.keySet()) {
      ours.put(name, decodedByNarwhal(template, name));
    }
    Map<String, String> differences = new TreeMap<>();
    int pairs = 0;
    for (String first : operations.keySet()) {
      Path committed = copy(template, "first");
      assertThat(theirVerdict(committed, first)).as(first + " alone").isEqualTo(".");
      for (String second : operations.keySet()) {
        Path theirs = copy(committed, "theirs");
        Path mine = copy(committed, "mine");
        String verdicts = ourVerdict(mine, second) + ' ' + theirVerdict(theirs, second);
        if (verdicts.charAt(0) != verdicts.charAt(2)) {
          differences.put(second + " after " + first, verdicts.substring(0, 3));
        } else if (verdicts.charAt(0) == '.') {
          assertThat(sizes(mine)).as(second + " after " + first).isEqualTo(sizes(theirs));
        }
        remove(theirs, mine);
        pairs++;
      }
    }
    assertThat(pairs).isEqualTo(operations.size() * operations.size()).isGreaterThan(400);
    assertThat(differences).isEqualTo(new TreeMap<>(SAFER));
  }

  /** Columns id and c, each in a file of its own, in two fragments. */
  private void writeTemplate(Path template) {
    Schema schema =
        new Schema(
            List.of(new Field("id", FieldType.notNullable(new ArrowType.Int(64, true)), null)));
    JudgeWriter.at(template, "2.1").create(schema, List.of(ROWS, ROWS), this::fill);
    try (LanceJudge judge = LanceJudge.open(template)) {
      SqlExpressions c = new SqlExpressions.Builder().withExpression("c", "id * 2").build();
      judge.dataset().addColumns(c, Optional.empty());
    }
    try (LanceJudge judge = LanceJudge.open(template)) {
      base = judge.version();
    }
  }

  private void fill(VectorSchemaRoot batch, int fragment, int rows) {
    BigIntVector ids = (BigIntVector) batch.getVector("id");
    ids.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      ids.set(i, fragment * ROWS + i);
    }
    batch.setRowCount(rows);
  }

  private void buildOperations(Path template) {
    try (LanceJudge judge = LanceJudge.open(template)) {
      Schema schema = judge.schema();
      List<Fragment> fragments = judge.dataset().getFragments();
      FragmentMetadata first = fragments.get(0).metadata();
      FragmentMetadata second = fragments.get(1).metadata();
      FragmentMetadata added = withFiles(0, first.getFiles());
      FragmentMetadata less = fragments.get(0).deleteRows(List.of(1, 2));
      FragmentMetadata lessOfSecond = fragments.get(1).deleteRows(List.of(3));
      operations.put("Append", () -> new Append.Builder().fragments(List.of(added)).build());
      operations.put("DelF0", () -> delete(List.of(less), List.of()));
      operations.put("RemF0", () -> delete(List.of(), List.of(0L)));
      operations.put("DelF1", () -> delete(List.of(lessOfSecond), List.of()));
      operations.put(
          "UpdF0", () -> update(less, List.of(added), Update.UpdateMode.RewriteRows, new long[0]));
      FragmentMetadata column =
          withFiles(0, List.of(first.getFiles().get(0), renamed(second.getFiles().get(1))));
      operations.put(
          "ColF0",
          () -> update(column, List.of(), Update.UpdateMode.RewriteColumns, new long[] {1}));
      operations.put("RewF0", () -> rewrite(first, withFiles(10, first.getFiles())));
      operations.put("RewF1", () -> rewrite(second, withFiles(11, second.getFiles())));
      operations.put(
          "Merge", () -> Merge.builder().fragments(List.of(first, second)).schema(schema).build());
      operations.put("Project", () -> new Project.Builder().schema(schema).build());
      operations.put("DRepF0", () -> replacement(0, second.getFiles().get(1)));
      operations.put("DRepF1", () -> replacement(1, first.getFiles().get(1)));
      operations.put("Overwrite", () -> overwrite(added, schema, Map.of()));
      operations.put("OverwriteA", () -> overwrite(added, schema, Map.of("A", "1")));
      operations.put("Restore", () -> new Restore.Builder().version(1).build());
      operations.put("Reserve", () -> new ReserveFragments.Builder().numFragments(2).build());
      operations.put("CfgA", () -> new UpdateConfig.Builder().configUpdates(map("A")).build());
      operations.put("CfgB", () -> new UpdateConfig.Builder().configUpdates(map("B")).build());
      operations.put(
          "CfgSchema", () -> new UpdateConfig.Builder().schemaMetadataUpdates(map("k")).build());
      operations.put(
          "CfgTable", () -> new UpdateConfig.Builder().tableMetadataUpdates(map("k")).build());
      operations.put("IdxC", () -> createIndex("c_idx", 1));
      operations.put("IdxId", () -> createIndex("id_idx", 0));
    }
  }

  private static FragmentMetadata withFiles(int id, List<DataFile> files) {
    return new FragmentMetadata(id, files, (long) ROWS, null, null);
  }

  private static DataFile renamed(DataFile file) {
    return new DataFile(
        "rewritten.lance",
        file.getFields(),
        file.getColumnIndices(),
        file.getFileMajorVersion(),
        file.getFileMinorVersion(),
        file.getFileSizeBytes(),
        null);
  }

  private static org.lance.operation.Operation delete(
      List<FragmentMetadata> updated, List<Long> removed) {
    return Delete.builder()
        .updatedFragments(updated)
        .deletedFragmentIds(removed)
        .predicate("x")
        .build();
  }

  private static org.lance.operation.Operation update(
      FragmentMetadata updated,
      List<FragmentMetadata> added,
      Update.UpdateMode mode,
      long[] fields) {
    return Update.builder()
        .removedFragmentIds(List.of())
        .updatedFragments(List.of(updated))
        .newFragments(added)
        .fieldsModified(fields)
        .fieldsForPreservingFragBitmap(new long[0])
        .updateMode(Optional.of(mode))
        .build();
  }

  private static org.lance.operation.Operation rewrite(FragmentMetadata old, FragmentMetadata now) {
    RewriteGroup group =
        RewriteGroup.builder().oldFragments(List.of(old)).newFragments(List.of(now)).build();
    return Rewrite.builder().groups(List.of(group)).rewrittenIndices(List.of()).build();
  }

  private static org.lance.operation.Operation replacement(long fragment, DataFile file) {
    return new DataReplacement.Builder()
        .replacements(List.of(new DataReplacement.DataReplacementGroup(fragment, file)))
        .build();
  }

  private static org.lance.operation.Operation overwrite(
      FragmentMetadata fragment, Schema schema, Map<String, String> config) {
    return Overwrite.builder()
        .fragments(List.of(fragment))
        .schema(schema)
        .configUpsertValues(config)
        .build();
  }

  private org.lance.operation.Operation createIndex(String name, int field) {
    Index index =
        Index.builder()
            .uuid(UUID.nameUUIDFromBytes(new byte[] {(byte) field}))
            .fields(List.of(field))
            .name(name)
            .datasetVersion(base)
            .fragments(List.of(0, 1))
            .indexVersion(0)
            .build();
    return CreateIndex.builder()
        .withNewIndices(List.of(index))
        .withRemovedIndices(List.of())
        .build();
  }

  private static UpdateMap map(String key) {
    return UpdateMap.builder().updates(Map.of(key, "1")).replace(false).build();
  }

  /** The same operation as real Lance stored it. */
  private Operation decodedByNarwhal(Path template, String name) throws IOException {
    Path alone = copy(template, "alone");
    assertThat(theirVerdict(alone, name)).as(name).isEqualTo(".");
    LocalObjectStore store = LocalObjectStore.at(alone);
    return new TransactionStore(store)
        .read(new ManifestStore(store).readLatest())
        .orElseThrow()
        .operation();
  }

  private String theirVerdict(Path table, String name) {
    Supplier<org.lance.operation.Operation> operation = requireNonNull(operations.get(name));
    try (LanceJudge judge = LanceJudge.open(table, base);
        Transaction transaction =
            new Transaction.Builder().readVersion(base).operation(operation.get()).build()) {
      new CommitBuilder(judge.dataset()).execute(transaction).close();
      return ".";
    } catch (RuntimeException e) {
      String message = String.valueOf(e.getMessage());
      if (message.contains("Retryable commit conflict")) {
        return "R";
      }
      return message.contains("ncompatible transaction") || message.contains("ommit conflict")
          ? "X"
          : "E: " + message;
    }
  }

  private String ourVerdict(Path table, String name) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset.open(table.toString(), VersionSelector.version(base), allocator)
          .commit()
          .commit(requireNonNull(ours.get(name)));
      return ".";
    } catch (RetryableConflictException e) {
      return "R";
    } catch (IncompatibleConflictException e) {
      return "X";
    } catch (IllegalArgumentException e) {
      return "E";
    }
  }

  /** Rows of each fragment, by the manifest: the data files of these tables are not all real. */
  private static List<String> sizes(Path table) {
    List<String> sizes = new ArrayList<>();
    try (LanceJudge judge = LanceJudge.open(table)) {
      for (Fragment fragment : judge.dataset().getFragments()) {
        FragmentMetadata metadata = fragment.metadata();
        sizes.add(metadata.getId() + ": " + metadata.getNumRows());
      }
      sizes.add(judge.version() + ", " + judge.schema().getFields().size() + " columns");
    }
    return sizes;
  }

  /** A new copy under a new name: real Lance may remember what it read under the old one. */
  private Path copy(Path table, String name) throws IOException {
    return Trees.copy(table, folder.resolve(name + copies++));
  }

  private static void remove(Path... tables) throws IOException {
    for (Path table : tables) {
      try (Stream<Path> files = Files.walk(table)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
