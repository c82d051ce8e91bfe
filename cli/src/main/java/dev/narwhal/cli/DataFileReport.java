package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Report;
import dev.narwhal.lance.datafile.ColumnInfo;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.datafile.PageInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a data file is made of.
 *
 * @param version of the file format
 */
record DataFileReport(String path, String version, long rows, List<ColumnInfo> columns)
    implements Report {
  static DataFileReport of(DataFilePath path) throws IOException {
    try (LanceFile file = LanceFile.open(path.store(), path.name())) {
      return new DataFileReport(
          path.toString(), file.version().toString(), file.rows(), file.columns());
    }
  }

  @Override
  public void json(JsonGenerator json) throws IOException {
    json.writeStringField("version", version);
    json.writeNumberField("rows", rows);
    json.writeArrayFieldStart("columns");
    for (ColumnInfo column : columns) {
      json.writeStartObject();
      json.writeStringField("name", column.name());
      json.writeStringField("type", column.logicalType());
      json.writeArrayFieldStart("pages");
      for (PageInfo page : column.pages()) {
        json.writeStartObject();
        json.writeNumberField("rows", page.rows());
        json.writeStringField("layout", page.layout());
        json.writeStringField("encoding", page.encoding());
        json.writeNumberField("bytes", page.sizeBytes());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  @Override
  public void text(StringBuilder text) {
    text.append(path)
        .append(", data file of version ")
        .append(version)
        .append(", ")
        .append(rows)
        .append(" rows\n\n");
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("column", "type", "rows", "bytes", "layout", "encoding"));
    for (ColumnInfo column : columns) {
      if (column.pages().isEmpty()) {
        lines.add(List.of(column.name(), column.logicalType(), "0", "0", "", ""));
      }
      for (int i = 0; i < column.pages().size(); i++) {
        PageInfo page = column.pages().get(i);
        lines.add(
            List.of(
                i == 0 ? column.name() : "",
                i == 0 ? column.logicalType() : "",
                Long.toString(page.rows()),
                Long.toString(page.sizeBytes()),
                page.layout(),
                page.encoding()));
      }
    }
    table(lines, text);
  }

  /** Columns as wide as their widest cell, the last one apart. */
  private static void table(List<List<String>> lines, StringBuilder text) {
    int last = lines.get(0).size() - 1;
    int[] widths = new int[last];
    for (List<String> line : lines) {
      for (int i = 0; i < last; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int i = 0; i < last; i++) {
        row.append(line.get(i)).append(" ".repeat(widths[i] - line.get(i).length() + 2));
      }
      text.append(row.append(line.get(last)).toString().stripTrailing()).append('\n');
    }
  }
}
