package dev.narwhal.iceberg.rowdelete.equality;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;

/**
 * Equality delete files with one key and one reach: they delete from the same data files, but for
 * their sequence numbers. An unpartitioned spec reaches the whole table, another the one partition.
 *
 * @param key what rows are compared by
 * @param files the delete files
 * @param tasks the data files they delete from
 */
record EqualityGroup(KeySchema key, List<DeleteFile> files, List<FileScanTask> tasks) {

  private record Reach(List<Integer> fieldIds, int specId, ByteBuffer partition) {}

  /** The groups of the delete files that the planner gave to data files. */
  static List<EqualityGroup> of(Table table, List<FileScanTask> tasks) {
    Map<Reach, Set<String>> seen = new LinkedHashMap<>();
    Map<Reach, EqualityGroup> groups = new LinkedHashMap<>();
    for (FileScanTask task : tasks) {
      Set<Reach> reached = new LinkedHashSet<>();
      for (DeleteFile file : task.deletes()) {
        if (file.content() == FileContent.EQUALITY_DELETES) {
          Reach reach = reach(table, file);
          EqualityGroup group =
              groups.computeIfAbsent(
                  reach,
                  absent ->
                      new EqualityGroup(
                          KeySchema.ofExisting(table, reach.fieldIds()),
                          new ArrayList<>(),
                          new ArrayList<>()));
          if (seen.computeIfAbsent(reach, absent -> new LinkedHashSet<>()).add(file.location())) {
            group.files().add(file);
          }
          if (reached.add(reach)) {
            group.tasks().add(task);
          }
        }
      }
    }
    return new ArrayList<>(groups.values());
  }

  private static Reach reach(Table table, DeleteFile file) {
    List<Integer> fieldIds = List.copyOf(new TreeSet<>(file.equalityFieldIds()));
    PartitionSpec spec = table.specs().get(file.specId());
    if (spec == null) {
      throw new IllegalStateException(
          "equality delete file " + file.location() + " is of the unknown spec " + file.specId());
    }
    if (spec.isUnpartitioned()) {
      return new Reach(fieldIds, -1, ByteBuffer.allocate(0));
    }
    Types.StructType type = spec.partitionType();
    KeyEncoder partition =
        new KeyEncoder(
            type.asSchema(), type.fields().stream().map(Types.NestedField::fieldId).toList());
    partition.encode(file.partition());
    return new Reach(
        fieldIds,
        spec.specId(),
        ByteBuffer.wrap(Arrays.copyOf(partition.bytes(), partition.length())));
  }

  /** Rows of the delete files, duplicates counted. */
  long rows() {
    return files.stream().mapToLong(DeleteFile::recordCount).sum();
  }
}
