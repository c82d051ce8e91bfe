package dev.narwhal.lance.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.proto.table.IndexSection;
import dev.narwhal.lance.schema.LanceField;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every manifest of real Lance decodes to what real Lance says, and encodes to the same again. */
class ManifestFixtureTest {
  static Stream<LanceFixture> fixtures() throws IOException {
    return LanceFixture.all().stream();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void decodesToWhatLanceSays(LanceFixture fixture) throws IOException {
    JsonNode schema = MissingNode.getInstance();
    for (LanceFixture.Version version : fixture.versions()) {
      ManifestFile file = ManifestCodec.decode(bytes(fixture, version));
      JsonNode expected = version.expected();
      schema = expected.has("schema") ? expected.get("schema") : schema;
      assertHeader(file, version);
      assertThat(schemaOf(file.manifest())).as("%s schema", version).isEqualTo(schemaOf(schema));
      assertFragments(file.manifest(), version);
      assertIndices(file, version);
    }
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void encodesToTheSameMessagesAgain(LanceFixture fixture) throws IOException {
    for (LanceFixture.Version version : fixture.versions()) {
      ByteBuffer original = bytes(fixture, version);
      ManifestFile file = ManifestCodec.decode(original);
      ByteBuffer encoded = ManifestCodec.encode(file);

      assertThat(ManifestCodec.decode(encoded)).isEqualTo(file);
      assertThat(manifestSection(encoded)).as(version.label()).isEqualTo(manifestSection(original));
      assertThat(encoded.remaining()).as(version.label()).isEqualTo(original.remaining());
      assertThat(indexSection(encoded)).as(version.label()).isEqualTo(indexSection(original));
      if (hasNoMapOfTwo(file.manifest())) {
        assertThat(encoded).as(version.label()).isEqualTo(original);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void storeFindsEveryVersion(LanceFixture fixture) throws IOException {
    ManifestStore store = new ManifestStore(fixture.store());
    List<Long> numbers = new ArrayList<>();
    for (JsonNode version : fixture.expected().get("versions")) {
      numbers.add(version.get("version").longValue());
    }
    assertThat(store.list().stream().map(ManifestLocation::version)).isEqualTo(numbers);
    assertThat(store.latest().version())
        .isEqualTo(fixture.expected().get("latest_version").longValue());
    for (JsonNode version : fixture.expected().get("versions")) {
      ManifestLocation location = store.locate(version.get("version").longValue());
      assertThat(location.path()).isEqualTo(version.get("manifest").get("file").textValue());
      assertThat(location.naming().name())
          .isEqualTo(version.get("manifest").get("naming").textValue());
      assertThat(store.read(location).manifest().version()).isEqualTo(location.version());
    }
  }

  private static ByteBuffer bytes(LanceFixture fixture, LanceFixture.Version version)
      throws IOException {
    return fixture.store().read(version.manifest().get("file").textValue());
  }

  private static void assertHeader(ManifestFile file, LanceFixture.Version version) {
    Manifest manifest = file.manifest();
    JsonNode expected = version.manifest();
    String label = version.label();
    assertThat(manifest.version()).as(label).isEqualTo(version.number());
    assertThat(manifest.flags())
        .as(label)
        .isEqualTo(
            new FeatureFlags(
                expected.get("reader_feature_flags").longValue(),
                expected.get("writer_feature_flags").longValue()));
    assertThat(manifest.maxFragmentId())
        .as(label)
        .isEqualTo(
            expected.get("max_fragment_id").isNull()
                ? OptionalLong.empty()
                : OptionalLong.of(expected.get("max_fragment_id").longValue()));
    assertThat(manifest.nextRowId()).as(label).isEqualTo(expected.get("next_row_id").longValue());
    assertThat(manifest.dataFormat().fileFormat() + ' ' + manifest.dataFormat().version())
        .as(label)
        .isEqualTo(expected.get("data_format").textValue());
    assertThat(!file.indices().isEmpty())
        .as(label)
        .isEqualTo(expected.get("index_section").booleanValue());
    assertThat(file.transaction().isPresent())
        .as(label)
        .isEqualTo(expected.get("transaction_section").booleanValue());
    assertThat(manifest.branch())
        .as(label)
        .isEqualTo(Optional.ofNullable(expected.get("branch").textValue()));
    assertThat(manifest.transactionFile())
        .as(label)
        .contains(expected.get("transaction_file").textValue());
    assertThat(manifest.liveRows())
        .as(label)
        .hasValue(version.expected().get("live_rows").longValue());
    assertThat(manifest.writerVersion().orElseThrow().library()).isEqualTo("lance");

    List<String> bases = new ArrayList<>();
    for (BasePath base : manifest.basePaths()) {
      bases.add(base.id() + base.name().orElse("") + base.datasetRoot() + base.path());
    }
    List<String> expectedBases = new ArrayList<>();
    for (JsonNode base : expected.get("base_paths")) {
      expectedBases.add(
          base.get("id").intValue()
              + base.get("name").textValue()
              + base.get("is_dataset_root").booleanValue()
              + base.get("path").textValue());
    }
    assertThat(bases).as(label).isEqualTo(expectedBases);
  }

  private static List<String> schemaOf(Manifest manifest) {
    List<String> fields = new ArrayList<>();
    for (LanceField field : manifest.schema().fields()) {
      fields.add(
          String.join(
              "|",
              String.valueOf(field.id()),
              String.valueOf(field.parentId()),
              field.name(),
              field.logicalType(),
              String.valueOf(field.nullable())));
    }
    return fields;
  }

  private static List<String> schemaOf(JsonNode schema) {
    List<String> fields = new ArrayList<>();
    for (JsonNode field : schema) {
      fields.add(
          String.join(
              "|",
              field.get("id").asText(),
              field.get("parent").asText(),
              field.get("name").textValue(),
              field.get("type").textValue(),
              field.get("nullable").asText()));
    }
    return fields;
  }

  private static void assertFragments(Manifest manifest, LanceFixture.Version version) {
    JsonNode expected = version.expected().get("fragments");
    assertThat(manifest.fragments()).as(version.label()).hasSize(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      Fragment fragment = manifest.fragments().get(i);
      JsonNode json = expected.get(i);
      assertThat(fragment.id()).isEqualTo(json.get("id").longValue());
      assertThat(fragment.physicalRows()).hasValue(json.get("physical_rows").longValue());
      assertThat(fragment.rowIds().isPresent()).isEqualTo(manifest.stableRowIds());
      assertDeletionFile(manifest, fragment, json.get("deletion_file"));
      assertThat(fragment.files()).hasSize(json.get("files").size());
      for (int f = 0; f < fragment.files().size(); f++) {
        assertDataFile(manifest, fragment.files().get(f), json.get("files").get(f));
      }
    }
  }

  private static void assertDeletionFile(Manifest manifest, Fragment fragment, JsonNode json) {
    if (json.get("type").textValue().equals("none")) {
      assertThat(fragment.deletionFile()).isEmpty();
      return;
    }
    DeletionFile file = fragment.deletionFile().orElseThrow();
    assertThat(file.encoding().name()).isEqualToIgnoringCase(json.get("type").textValue());
    assertThat(file.readVersion()).isEqualTo(json.get("read_version").longValue());
    assertThat(Long.toUnsignedString(file.id())).isEqualTo(json.get("id").textValue());
    assertThat(file.deletedRows()).hasValue(json.get("num_deleted_rows").longValue());
    assertThat(file.baseId()).isEqualTo(baseId(json));
    FileLocation location = manifest.locate(fragment.id(), file);
    assertThat(location.path()).isEqualTo(json.get("path").textValue());
    assertThat(location.base().isPresent()).isEqualTo(file.baseId().isPresent());
  }

  private static void assertDataFile(Manifest manifest, DataFile file, JsonNode json) {
    assertThat(file.path()).isEqualTo(json.get("path").textValue());
    assertThat(file.fields()).isEqualTo(ints(json.get("fields")));
    assertThat(file.columnIndices()).isEqualTo(ints(json.get("column_indices")));
    assertThat(file.sizeBytes()).hasValue(json.get("size").longValue());
    assertThat(file.baseId()).isEqualTo(baseId(json));
    assertThat(file.formatVersion()).isEqualTo(manifest.dataFormat().version());
    FileLocation location = manifest.locate(file);
    assertThat(location.path()).isEqualTo("data/" + file.path());
    assertThat(location.base().map(BasePath::id))
        .isEqualTo(
            file.baseId().isPresent() ? Optional.of(file.baseId().getAsInt()) : Optional.empty());
  }

  private static void assertIndices(ManifestFile file, LanceFixture.Version version) {
    List<IndexMetadata> indices = new ArrayList<>();
    for (IndexMetadata index : file.indices()) {
      if (!index.name().startsWith("__lance")) {
        indices.add(index);
      }
    }
    List<JsonNode> expected = new ArrayList<>();
    for (JsonNode index : version.expected().get("indices")) {
      if (!index.get("name").textValue().startsWith("__lance")) {
        expected.add(index);
      }
    }
    // Lance reports them in another order than the manifest has
    indices.sort(Comparator.comparing(IndexMetadata::name));
    expected.sort(Comparator.comparing(index -> index.get("name").textValue()));
    assertThat(indices).as(version.label()).hasSize(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      IndexMetadata index = indices.get(i);
      JsonNode json = expected.get(i);
      assertThat(index.name()).isEqualTo(json.get("name").textValue());
      assertThat(index.uuid()).isEqualTo(UUID.fromString(json.get("uuid").textValue()));
      assertThat(index.fields()).isEqualTo(ints(json.get("fields")));
      assertThat(index.datasetVersion()).isEqualTo(json.get("dataset_version").longValue());
      assertThat(index.createdAtMillis()).isPresent();
      assertThat(index.files()).isNotEmpty();
      assertThat(file.manifest().locate(index).path()).isEqualTo("_indices/" + index.uuid());
      boolean mapped =
          file.indices().stream().anyMatch(other -> other.name().equals("__lance_frag_reuse"));
      if (!mapped) {
        List<Integer> covered = new ArrayList<>();
        index.fragmentBitmap().orElseThrow().forEach(id -> covered.add((int) id));
        assertThat(covered).as(version.label()).isEqualTo(ints(json.get("fragments")));
      }
    }
  }

  private static OptionalInt baseId(JsonNode json) {
    return json.get("base_id").isNull()
        ? OptionalInt.empty()
        : OptionalInt.of(json.get("base_id").intValue());
  }

  private static List<Integer> ints(JsonNode array) {
    List<Integer> ints = new ArrayList<>();
    array.forEach(value -> ints.add(value.intValue()));
    return ints;
  }

  /** The order of a map's entries is the writer's choice. */
  private static boolean hasNoMapOfTwo(Manifest manifest) {
    return manifest.config().size() < 2
        && manifest.tableMetadata().size() < 2
        && manifest.schema().metadata().size() < 2
        && manifest.schema().fields().stream().noneMatch(field -> field.metadata().size() > 1);
  }

  private static dev.narwhal.lance.proto.table.Manifest manifestSection(ByteBuffer file)
      throws IOException {
    ByteBuffer in = file.slice().order(ByteOrder.LITTLE_ENDIAN);
    int end = in.limit() - 16;
    int start = (int) in.getLong(end);
    return dev.narwhal.lance.proto.table.Manifest.parseFrom(in.slice(start + 4, end - start - 4));
  }

  /** The raw bytes, with what they must be a message of; empty without an index section. */
  private static ByteBuffer indexSection(ByteBuffer file) throws IOException {
    dev.narwhal.lance.proto.table.Manifest manifest = manifestSection(file);
    if (!manifest.hasIndexSection()) {
      return ByteBuffer.allocate(0);
    }
    ByteBuffer in = file.slice().order(ByteOrder.LITTLE_ENDIAN);
    int start = (int) manifest.getIndexSection();
    ByteBuffer section = in.slice(start + 4, in.getInt(start));
    assertThat(IndexSection.parseFrom(section.duplicate()).getIndicesCount()).isPositive();
    return section;
  }
}
