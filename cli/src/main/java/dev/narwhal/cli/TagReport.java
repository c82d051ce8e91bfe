package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Report;
import dev.narwhal.lance.manifest.Tag;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** Tags in words and in JSON. */
final class TagReport {
  private TagReport() {}

  /**
   * One tag.
   *
   * @param done what was done to it, such as {@code Created}
   */
  record One(Tag tag, String done) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      members(tag, json);
    }

    @Override
    public void text(StringBuilder text) {
      text.append(done).append(" tag ").append(line(tag)).append(".\n");
    }
  }

  /** All of them. */
  record All(List<Tag> tags) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeArrayFieldStart("tags");
      for (Tag tag : tags) {
        json.writeStartObject();
        members(tag, json);
        json.writeEndObject();
      }
      json.writeEndArray();
    }

    @Override
    public void text(StringBuilder text) {
      if (tags.isEmpty()) {
        text.append("No tags.\n");
      }
      for (Tag tag : tags) {
        text.append(line(tag)).append('\n');
      }
    }
  }

  private static String line(Tag tag) {
    return tag.name()
        + " = version "
        + tag.version()
        + tag.branch().map(branch -> " of branch " + branch).orElse("");
  }

  private static void members(Tag tag, JsonGenerator json) throws IOException {
    json.writeStringField("name", tag.name());
    ReferenceJson.text(json, "branch", tag.branch());
    json.writeNumberField("version", tag.version());
    ReferenceJson.text(json, "createdAt", tag.createdAt().map(Instant::toString));
    ReferenceJson.text(json, "updatedAt", tag.updatedAt().map(Instant::toString));
    ReferenceJson.metadata(json, tag.metadata());
  }
}
