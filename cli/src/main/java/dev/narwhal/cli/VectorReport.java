package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Report;
import dev.narwhal.cli.vectors.StoredVector;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is in a deletion vector.
 *
 * @param more members that a verb adds, in front of the positions
 */
record VectorReport(StoredVector vector, Map<String, String> more) implements Report {
  /** Positions listed in JSON at most; where there are more, {@code positionsTruncated} is true. */
  static final int LISTED_IN_JSON = 1_000_000;

  private static final int LISTED_IN_TEXT = 20;

  @Override
  public void json(JsonGenerator json) throws IOException {
    PositionSet positions = vector.positions();
    json.writeStringField("format", vector.format().id());
    json.writeNumberField("cardinality", positions.cardinality());
    if (positions.isEmpty()) {
      json.writeNullField("min");
      json.writeNullField("max");
    } else {
      json.writeNumberField("min", positions.min());
      json.writeNumberField("max", positions.max());
    }
    json.writeNumberField("bytes", vector.bytes());
    for (Map.Entry<String, String> member : more.entrySet()) {
      json.writeStringField(member.getKey(), member.getValue());
    }
    json.writeArrayFieldStart("positions");
    for (long position : first(positions, LISTED_IN_JSON)) {
      json.writeNumber(position);
    }
    json.writeEndArray();
    json.writeBooleanField("positionsTruncated", positions.cardinality() > LISTED_IN_JSON);
  }

  @Override
  public void text(StringBuilder text) {
    PositionSet positions = vector.positions();
    line(text, "format", vector.format().id());
    line(text, "cardinality", Long.toString(positions.cardinality()));
    line(text, "min", positions.isEmpty() ? "-" : Long.toString(positions.min()));
    line(text, "max", positions.isEmpty() ? "-" : Long.toString(positions.max()));
    line(text, "bytes", Long.toString(vector.bytes()));
    more.forEach((name, value) -> line(text, name, value));
    List<String> listed = new ArrayList<>();
    for (long position : first(positions, LISTED_IN_TEXT)) {
      listed.add(Long.toString(position));
    }
    if (positions.cardinality() > LISTED_IN_TEXT) {
      listed.add("...");
    }
    line(text, "positions", listed.isEmpty() ? "-" : String.join(", ", listed));
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(name).append(" ".repeat(13 - name.length())).append(value).append('\n');
  }

  private static long[] first(PositionSet positions, int limit) {
    if (positions.cardinality() <= limit) {
      return positions.toArray();
    }
    long[] listed = new long[limit];
    int[] next = {0};
    positions.forEach(
        position -> {
          if (next[0] < limit) {
            listed[next[0]++] = position;
          }
        });
    return listed;
  }
}
