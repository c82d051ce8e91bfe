package dev.narwhal.lance.write.insert;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What several workers wrote, to be committed as one.
 *
 * @param readVersion the oldest that one of them read
 * @param schema that the table is to have; empty for an append
 * @param stableRowIds whether one of them asked for stable row ids
 */
record InsertParts(
    long readVersion,
    Optional<LanceSchema> schema,
    List<Fragment> fragments,
    long rows,
    long bytesWritten,
    boolean stableRowIds) {
  InsertParts {
    fragments = List.copyOf(fragments);
  }

  /**
   * All parts together, in the order of the list.
   *
   * @throws IllegalArgumentException when they do not go together, or there is none
   */
  static InsertParts of(List<UncommittedInsert> inserts) {
    if (inserts.isEmpty()) {
      throw new IllegalArgumentException("there is no insert to commit");
    }
    long readVersion = inserts.get(0).readVersion();
    Optional<LanceSchema> schema = inserts.get(0).schema();
    List<Fragment> fragments = new ArrayList<>();
    long rows = 0;
    long bytes = 0;
    boolean stable = false;
    for (UncommittedInsert insert : inserts) {
      if (!insert.schema().equals(schema)) {
        throw new IllegalArgumentException(
            "inserts with different schemas, or appends and overwrites, cannot be committed"
                + " together");
      }
      if (Long.compareUnsigned(insert.readVersion(), readVersion) < 0) {
        readVersion = insert.readVersion();
      }
      fragments.addAll(insert.fragments());
      rows += insert.rows();
      bytes += insert.bytesWritten();
      stable |= insert.stableRowIds();
    }
    return new InsertParts(readVersion, schema, fragments, rows, bytes, stable);
  }
}
