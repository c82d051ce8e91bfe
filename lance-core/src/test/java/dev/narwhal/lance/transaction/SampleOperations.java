package dev.narwhal.lance.transaction;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FragmentBitmap;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;

/** Operations on a table with the fields id (0) and c (1) and fragments 0 and 1 of 100 rows. */
final class SampleOperations {
  static final UnknownFields NONE = UnknownFields.none();
  static final LanceSchema SCHEMA =
      new LanceSchema(List.of(field(0, "id"), field(1, "c")), Map.of());

  private SampleOperations() {}

  static LanceField field(int id, String name) {
    return new LanceField(id, -1, name, "int64", true, Map.of(), NONE);
  }

  static DataFile file(String path, Integer... fields) {
    return new DataFile(
        path,
        List.of(fields),
        IntStream.range(0, fields.length).boxed().toList(),
        2,
        1,
        OptionalLong.of(1000),
        OptionalInt.empty(),
        NONE);
  }

  static Fragment fragment(long id) {
    return fragment(id, file("f" + id + ".lance", 0, 1));
  }

  static Fragment fragment(long id, DataFile... files) {
    return new Fragment(
        id,
        List.of(files),
        Optional.empty(),
        OptionalLong.of(100),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        NONE);
  }

  static Fragment deleted(Fragment fragment, long fileId, long rows) {
    return fragment.withDeletionFile(
        new DeletionFile(
            DeletionFile.Encoding.BITMAP,
            1,
            fileId,
            OptionalLong.of(rows),
            OptionalInt.empty(),
            NONE));
  }

  static Operation append() {
    return new Operation.Append(List.of(fragment(0, file("new.lance", 0, 1))), NONE);
  }

  static Operation delete(long fragment) {
    return new Operation.Delete(List.of(deleted(fragment(fragment), 7, 3)), List.of(), "x", NONE);
  }

  static Operation remove(long fragment) {
    return new Operation.Delete(List.of(), List.of(fragment), "x", NONE);
  }

  static Operation.Update update(long fragment) {
    return update(fragment, Operation.UpdateMode.REWRITE_ROWS, List.of(), Optional.empty());
  }

  static Operation.Update updateColumns(long fragment) {
    return update(fragment, Operation.UpdateMode.REWRITE_COLUMNS, List.of(), Optional.empty());
  }

  static Operation.Update update(
      long fragment,
      Operation.UpdateMode mode,
      List<Operation.MergedGeneration> generations,
      Optional<Operation.KeyFilter> keys) {
    return new Operation.Update(
        List.of(),
        List.of(deleted(fragment(fragment), 8, 3)),
        List.of(),
        List.of(),
        List.of(),
        mode,
        generations,
        keys,
        NONE);
  }

  static Operation rewrite(long fragment) {
    return new Operation.Rewrite(
        List.of(
            new Operation.RewriteGroup(
                List.of(fragment(fragment)), List.of(fragment(10 + fragment)), NONE)),
        List.of(),
        NONE);
  }

  static Operation merge() {
    return new Operation.Merge(List.of(fragment(0), fragment(1)), SCHEMA, NONE);
  }

  static Operation project() {
    return new Operation.Project(SCHEMA, NONE);
  }

  static Operation replace(long fragment) {
    return new Operation.DataReplacement(
        List.of(new Operation.Replacement(fragment, file("r.lance", 1))), NONE);
  }

  static Operation overwrite(Map<String, String> config) {
    return new Operation.Overwrite(List.of(fragment(0)), SCHEMA, config, List.of(), NONE);
  }

  static Operation config(String key) {
    return config(Optional.of(map(key)), Optional.empty(), Optional.empty());
  }

  static Operation config(
      Optional<Operation.UpdateMap> config,
      Optional<Operation.UpdateMap> table,
      Optional<Operation.UpdateMap> schema) {
    return new Operation.UpdateConfig(
        Map.of(), List.of(), Map.of(), Map.of(), config, table, schema, Map.of(), NONE);
  }

  static Operation.UpdateMap map(String key) {
    return new Operation.UpdateMap(
        List.of(new Operation.UpdateMap.Entry(key, Optional.of("1"))), false);
  }

  static Operation createIndex(int field, String name) {
    return new Operation.CreateIndex(List.of(index(field, name, 0, 1)), List.of(), NONE);
  }

  static IndexMetadata index(int field, String name, long... covered) {
    return new IndexMetadata(
        new UUID(field, name.hashCode()),
        List.of(field),
        name,
        1,
        Optional.of(FragmentBitmap.ofIds(Arrays.stream(covered).boxed().toList())),
        Optional.empty(),
        OptionalInt.of(0),
        OptionalLong.empty(),
        OptionalInt.empty(),
        List.of(),
        NONE);
  }

  static Operation bases(int id, String name, String path) {
    return new Operation.UpdateBases(
        List.of(new BasePath(id, Optional.of(name), true, path, NONE)), NONE);
  }

  static Operation.MergedGeneration generation(long shard, long generation) {
    return new Operation.MergedGeneration(Optional.of(new UUID(0, shard)), generation, NONE);
  }
}
