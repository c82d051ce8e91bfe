package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Report;
import dev.narwhal.lance.manifest.Branch;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** Branches in words and in JSON. */
final class BranchReport {
  private BranchReport() {}

  /**
   * One branch.
   *
   * @param done what was done to it, such as {@code Created}
   */
  record One(Branch branch, String done) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      members(branch, json);
    }

    @Override
    public void text(StringBuilder text) {
      text.append(done).append(" branch ").append(line(branch)).append(".\n");
    }
  }

  /** All of them. */
  record All(List<Branch> branches) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeArrayFieldStart("branches");
      for (Branch branch : branches) {
        json.writeStartObject();
        members(branch, json);
        json.writeEndObject();
      }
      json.writeEndArray();
    }

    @Override
    public void text(StringBuilder text) {
      if (branches.isEmpty()) {
        text.append("No branches beside main.\n");
      }
      for (Branch branch : branches) {
        text.append(line(branch)).append('\n');
      }
    }
  }

  private static String line(Branch branch) {
    return branch.name()
        + " from version "
        + branch.parentVersion()
        + " of "
        + branch.parent().orElse("main");
  }

  /** A branch begins with the version it left its parent at. */
  private static void members(Branch branch, JsonGenerator json) throws IOException {
    json.writeStringField("name", branch.name());
    ReferenceJson.text(json, "parent", branch.parent());
    json.writeNumberField("version", branch.parentVersion());
    ReferenceJson.text(json, "createdAt", branch.createdAt().map(Instant::toString));
    ReferenceJson.metadata(json, branch.metadata());
  }
}
