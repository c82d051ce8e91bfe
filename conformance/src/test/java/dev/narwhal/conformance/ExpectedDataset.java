package dev.narwhal.conformance;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What real Lance 7.0.0 reads in a fixture: its {@code expected.json}, member by member; the README
 * of the fixtures says what each means.
 *
 * <p>A file with an unknown member is refused, so that nothing recorded goes unseen. A list that a
 * file leaves out is empty; other members that may be absent or null are marked nullable.
 */
record ExpectedDataset(
    String fixture,
    String what,
    String writtenBy,
    String primaryKey,
    boolean rowsAtEveryVersion,
    long latestVersion,
    String dataStorageVersion,
    boolean stableRowIds,
    Map<String, String> config,
    Map<String, String> tableMetadata,
    List<Tag> tags,
    List<Version> versions,
    List<Branch> branches,
    List<Delta> deltas,
    List<Query> queries) {

  /** Binds snake-case members; integers and decimals keep every digit. */
  static final ObjectMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  static ExpectedDataset read(Path json) throws IOException {
    return JSON.readValue(json.toFile(), ExpectedDataset.class);
  }

  record Tag(String name, @Nullable String branch, long version) {}

  record Branch(
      String name, @Nullable String parentBranch, long parentVersion, List<Version> versions) {}

  /** One version of main or of a branch; the last three lists only with stable row ids. */
  record Version(
      long version,
      ManifestFacts manifest,
      List<SchemaField> schema,
      long liveRows,
      Recorded pks,
      String rowsSha256,
      List<JsonNode> firstRows,
      List<FragmentFacts> fragments,
      List<IndexFacts> indices,
      @Nullable Recorded rowIds,
      List<List<Long>> createdAtRuns,
      List<List<Long>> lastUpdatedAtRuns) {
    Version {
      schema = requireNonNullElse(schema, List.of());
      firstRows = requireNonNullElse(firstRows, List.of());
      createdAtRuns = requireNonNullElse(createdAtRuns, List.of());
      lastUpdatedAtRuns = requireNonNullElse(lastUpdatedAtRuns, List.of());
    }
  }

  record ManifestFacts(
      String file,
      String naming,
      long readerFeatureFlags,
      long writerFeatureFlags,
      @Nullable Long maxFragmentId,
      long nextRowId,
      String dataFormat,
      boolean indexSection,
      boolean transactionSection,
      @Nullable String branch,
      List<BasePathFacts> basePaths,
      String transactionFile,
      String operation,
      long readVersion) {}

  record BasePathFacts(int id, String name, boolean isDatasetRoot, String path) {}

  record SchemaField(
      int id,
      int parent,
      String name,
      String type,
      boolean nullable,
      Map<String, String> metadata) {
    SchemaField {
      metadata = requireNonNullElse(metadata, Map.of());
    }
  }

  record FragmentFacts(
      long id,
      long physicalRows,
      DeletionFileFacts deletionFile,
      Recorded deletedOffsets,
      List<DataFileFacts> files) {}

  /**
   * A fragment's deletion file.
   *
   * @param type {@code none}, {@code array} or {@code bitmap}; with {@code none} all else is absent
   * @param id u64 in decimal
   * @param path below the dataset's root
   */
  record DeletionFileFacts(
      String type,
      @Nullable Long readVersion,
      @Nullable String id,
      @Nullable Long numDeletedRows,
      @Nullable Integer baseId,
      @Nullable String path) {}

  record DataFileFacts(
      String path,
      List<Integer> fields,
      List<Integer> columnIndices,
      String version,
      long size,
      @Nullable Integer baseId) {}

  record IndexFacts(
      String uuid,
      String name,
      @Nullable String type,
      List<Integer> fields,
      long datasetVersion,
      List<Long> fragments) {}

  /** Keys inserted and updated after version {@code since}, up to the newest. */
  record Delta(long since, Recorded insertedPks, Recorded updatedPks) {}

  /** Either {@code filter} with {@code pks}, or a vector search with the other members. */
  record Query(
      @Nullable String filter,
      @Nullable Recorded pks,
      @Nullable String nearest,
      @Nullable List<Double> key,
      @Nullable Integer k,
      @Nullable Recorded pksExact,
      @Nullable Recorded pksWithIndex) {}
}
