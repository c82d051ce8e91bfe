package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowIdSequence.IdRange;
import dev.narwhal.lance.rowid.RowVersions;
import java.io.IOException;
import java.util.Optional;

/**
 * The stable row ids of a fragment and the versions that wrote its rows, deleted ones included.
 *
 * @param rowIds from the least to the greatest; ids between them need not be there
 */
record RowLineage(Optional<IdRange> rowIds, RowVersions created, RowVersions lastUpdated) {

  /** Empty where the dataset keeps no stable row ids. */
  static Optional<RowLineage> of(Dataset dataset, Fragment fragment) throws IOException {
    Optional<RowIdSequence> ids = dataset.rowIds(fragment);
    return ids.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RowLineage(
                ids.get().range(),
                dataset.createdVersions(fragment),
                dataset.lastUpdatedVersions(fragment)));
  }

  /** Three members of the fragment's object. */
  void json(JsonGenerator json) throws IOException {
    json.writeFieldName("rowIds");
    if (rowIds.isPresent()) {
      range(json, "first", rowIds.get().first(), "last", rowIds.get().last());
    } else {
      json.writeNull();
    }
    json.writeFieldName("createdAtVersions");
    range(json, "min", created.min(), "max", created.max());
    json.writeFieldName("lastUpdatedAtVersions");
    range(json, "min", lastUpdated.min(), "max", lastUpdated.max());
  }

  void text(StringBuilder text) {
    rowIds.ifPresent(ids -> range(text.append(", row ids "), ids.first(), ids.last()));
    range(text.append(", created in version "), created.min(), created.max());
    range(text.append(", last updated in version "), lastUpdated.min(), lastUpdated.max());
  }

  private static void range(
      JsonGenerator json, String lowName, long low, String highName, long high) throws IOException {
    json.writeStartObject();
    json.writeFieldName(lowName);
    json.writeNumber(Long.toUnsignedString(low));
    json.writeFieldName(highName);
    json.writeNumber(Long.toUnsignedString(high));
    json.writeEndObject();
  }

  private static void range(StringBuilder text, long low, long high) {
    text.append(Long.toUnsignedString(low));
    if (low != high) {
      text.append("..").append(Long.toUnsignedString(high));
    }
  }
}
