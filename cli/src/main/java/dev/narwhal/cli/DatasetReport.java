package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Report;
import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Branch;
import dev.narwhal.lance.manifest.FragmentBitmap;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.Tag;
import dev.narwhal.lance.schema.LanceField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a version of a dataset is made of.
 *
 * @param lineage by fragment id, of datasets with stable row ids
 */
record DatasetReport(
    String uri,
    Manifest manifest,
    List<IndexMetadata> indices,
    long liveRows,
    Map<Long, RowLineage> lineage,
    List<Tag> tags,
    List<Branch> branches)
    implements Report {

  @Override
  public void json(JsonGenerator json) throws IOException {
    unsigned(json, "version", manifest.version());
    json.writeStringField("timestamp", manifest.timestamp().toString());
    json.writeStringField("dataStorageVersion", manifest.dataFormat().version());
    json.writeArrayFieldStart("schema");
    for (LanceField field : manifest.schema().fields()) {
      field(json, field);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("fragments");
    for (Fragment fragment : manifest.fragments()) {
      fragment(json, fragment);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("indices");
    for (IndexMetadata index : indices) {
      index(json, index);
    }
    json.writeEndArray();
    unsigned(json, "readerFlags", manifest.flags().reader());
    unsigned(json, "writerFlags", manifest.flags().writer());
    json.writeBooleanField("stableRowIds", manifest.stableRowIds());
    unsigned(json, "nextRowId", manifest.nextRowId());
    json.writeNumberField("liveRows", liveRows);
    references(json);
  }

  private static void field(JsonGenerator json, LanceField field) throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", field.id());
    json.writeNumberField("parent", field.parentId());
    json.writeStringField("name", field.name());
    json.writeStringField("type", field.logicalType());
    json.writeBooleanField("nullable", field.nullable());
    json.writeEndObject();
  }

  private void fragment(JsonGenerator json, Fragment fragment) throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", fragment.id());
    optional(json, "physicalRows", fragment.physicalRows());
    optional(json, "deletedRows", fragment.deletedRows());
    json.writeFieldName("deletionFile");
    Optional<DeletionFile> deletions = fragment.deletionFile();
    if (deletions.isPresent()) {
      DeletionFile file = deletions.get();
      json.writeStartObject();
      json.writeStringField("type", type(file));
      json.writeStringField("path", file.relativePath(fragment.id()));
      optional(json, "count", file.deletedRows());
      json.writeEndObject();
    } else {
      json.writeNull();
    }
    json.writeArrayFieldStart("dataFiles");
    for (DataFile file : fragment.files()) {
      json.writeStartObject();
      json.writeStringField("path", file.path());
      numbers(json, "fields", file.fields());
      json.writeStringField("version", file.formatVersion());
      json.writeEndObject();
    }
    json.writeEndArray();
    RowLineage rows = lineage.get(fragment.id());
    if (rows != null) {
      rows.json(json);
    }
    json.writeEndObject();
  }

  private static void index(JsonGenerator json, IndexMetadata index) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", index.name());
    numbers(json, "fields", index.fields());
    json.writeArrayFieldStart("fragments");
    Optional<FragmentBitmap> bitmap = index.fragmentBitmap();
    if (bitmap.isPresent()) {
      for (long id : ids(bitmap.get())) {
        json.writeNumber(id);
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void references(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("tags");
    for (Tag tag : tags) {
      json.writeStartObject();
      json.writeStringField("name", tag.name());
      unsigned(json, "version", tag.version());
      text(json, "branch", tag.branch());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("branches");
    for (Branch branch : branches) {
      json.writeStartObject();
      json.writeStringField("name", branch.name());
      text(json, "parent", branch.parent());
      unsigned(json, "parentVersion", branch.parentVersion());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("basePaths");
    for (BasePath base : manifest.basePaths()) {
      json.writeStartObject();
      json.writeNumberField("id", Integer.toUnsignedLong(base.id()));
      text(json, "name", base.name());
      json.writeStringField("path", base.path());
      json.writeBooleanField("datasetRoot", base.datasetRoot());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  @Override
  public void text(StringBuilder text) {
    text.append(uri)
        .append(", version ")
        .append(Long.toUnsignedString(manifest.version()))
        .append(", ")
        .append(manifest.timestamp())
        .append("\n\n")
        .append(liveRows)
        .append(" live rows in ")
        .append(manifest.fragments().size())
        .append(" fragments, data files ")
        .append(manifest.dataFormat().version())
        .append(manifest.stableRowIds() ? ", stable row ids" : "")
        .append("\n\nschema\n");
    for (LanceField field : manifest.schema().fields()) {
      text.append("  ")
          .append(field.id())
          .append("  ")
          .append("  ".repeat(depth(field)))
          .append(field.name())
          .append("  ")
          .append(field.logicalType())
          .append(field.nullable() ? "" : ", not null")
          .append('\n');
    }
    text.append("\nfragments\n");
    for (Fragment fragment : manifest.fragments()) {
      text.append("  ")
          .append(fragment.id())
          .append("  ")
          .append(number(fragment.physicalRows()))
          .append(" rows, ")
          .append(number(fragment.deletedRows()))
          .append(" deleted");
      fragment
          .deletionFile()
          .ifPresent(
              file ->
                  text.append(" (")
                      .append(type(file))
                      .append(", ")
                      .append(file.relativePath(fragment.id()))
                      .append(')'));
      RowLineage rows = lineage.get(fragment.id());
      if (rows != null) {
        rows.text(text);
      }
      text.append('\n');
    }
    listed(text, "indices", indices.stream().map(DatasetReport::described).toList());
    listed(
        text,
        "tags",
        tags.stream()
            .map(
                tag ->
                    tag.name()
                        + " = version "
                        + Long.toUnsignedString(tag.version())
                        + tag.branch().map(branch -> " of " + branch).orElse(""))
            .toList());
    listed(
        text,
        "branches",
        branches.stream()
            .map(
                branch ->
                    branch.name()
                        + ", from version "
                        + Long.toUnsignedString(branch.parentVersion())
                        + " of "
                        + branch.parent().orElse("main"))
            .toList());
    listed(
        text,
        "base paths",
        manifest.basePaths().stream()
            .map(base -> Integer.toUnsignedString(base.id()) + " = " + base.path())
            .toList());
  }

  private static String described(IndexMetadata index) {
    return index.name()
        + ", fields "
        + index.fields()
        + ", fragments "
        + index.fragmentBitmap().map(bitmap -> ids(bitmap).toString()).orElse("unknown");
  }

  private int depth(LanceField field) {
    int depth = 0;
    int parent = field.parentId();
    while (parent >= 0 && depth < manifest.schema().fields().size()) {
      int id = parent;
      parent =
          manifest.schema().fields().stream()
              .filter(candidate -> candidate.id() == id)
              .mapToInt(LanceField::parentId)
              .findFirst()
              .orElse(-1);
      depth++;
    }
    return depth;
  }

  private static void listed(StringBuilder text, String title, List<String> entries) {
    if (!entries.isEmpty()) {
      text.append('\n').append(title).append('\n');
      entries.forEach(entry -> text.append("  ").append(entry).append('\n'));
    }
  }

  private static String type(DeletionFile file) {
    return switch (file.encoding()) {
      case ARRAY -> "array";
      case BITMAP -> "bitmap";
    };
  }

  private static List<Long> ids(FragmentBitmap bitmap) {
    List<Long> ids = new ArrayList<>();
    bitmap.forEach(ids::add);
    return ids;
  }

  private static String number(OptionalLong number) {
    return number.isPresent() ? Long.toString(number.getAsLong()) : "?";
  }

  private static void numbers(JsonGenerator json, String name, List<Integer> numbers)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (int number : numbers) {
      json.writeNumber(number);
    }
    json.writeEndArray();
  }

  private static void unsigned(JsonGenerator json, String name, long value) throws IOException {
    json.writeFieldName(name);
    json.writeNumber(Long.toUnsignedString(value));
  }

  private static void optional(JsonGenerator json, String name, OptionalLong value)
      throws IOException {
    json.writeFieldName(name);
    if (value.isPresent()) {
      json.writeNumber(value.getAsLong());
    } else {
      json.writeNull();
    }
  }

  private static void text(JsonGenerator json, String name, Optional<String> value)
      throws IOException {
    json.writeFieldName(name);
    if (value.isPresent()) {
      json.writeString(value.get());
    } else {
      json.writeNull();
    }
  }
}
