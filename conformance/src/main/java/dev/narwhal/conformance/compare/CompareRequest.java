package dev.narwhal.conformance.compare;

import static java.util.Objects.requireNonNull;

import dev.narwhal.iceberg.mapping.Unsupported;
import dev.narwhal.lance.manifest.VersionSelector;
import java.nio.file.Path;

/**
 * What to compare.
 *
 * @param dataset path or {@code file:} URI of a Lance dataset, which is only read
 * @param selector the version to start from
 * @param where rows to delete
 * @param unsupported what the Iceberg tables make of columns without counterpart; the rows that are
 *     hashed are without them or have their texts, in Lance too
 * @param folder for the copies that the strategies work on; its sub-folder {@code work} is replaced
 * @param command the command line that does it again, for the report
 */
public record CompareRequest(
    String dataset,
    VersionSelector selector,
    String where,
    Unsupported unsupported,
    Path folder,
    String command) {
  public CompareRequest {
    requireNonNull(dataset, "dataset");
    requireNonNull(selector, "selector");
    requireNonNull(where, "where");
    requireNonNull(unsupported, "unsupported");
    requireNonNull(folder, "folder");
    requireNonNull(command, "command");
  }
}
