package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.manifest.DataFormat;
import dev.narwhal.lance.manifest.FeatureFlags;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a table is from its first version on.
 *
 * @param dataFormat of its data files
 * @param stableRowIds whether rows have ids that survive compaction and updates; this cannot be
 *     changed later
 */
public record NewTable(LanceSchema schema, DataFormat dataFormat, boolean stableRowIds) {
  private static final FeatureFlags STABLE =
      new FeatureFlags(FeatureFlags.STABLE_ROW_IDS, FeatureFlags.STABLE_ROW_IDS);

  public NewTable {
    requireNonNull(schema, "schema");
    requireNonNull(dataFormat, "dataFormat");
  }

  /** Its first version without rows. */
  Manifest empty(Instant timestamp) {
    return new Manifest(
        1,
        schema,
        List.of(),
        timestamp,
        Optional.empty(),
        stableRowIds ? STABLE : FeatureFlags.NONE,
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        dataFormat,
        Map.of(),
        Map.of(),
        List.of(),
        Optional.empty(),
        UnknownFields.none());
  }
}
