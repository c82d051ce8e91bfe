package dev.narwhal.iceberg.rowdelete.equality;

import dev.narwhal.iceberg.deletes.DeleteFileRows;
import dev.narwhal.iceberg.rowdelete.rows.DataFileRows;
import dev.narwhal.iceberg.table.InParallel;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Finds the positions that equality delete files delete: the rows of data files with a lower
 * sequence number, in the delete file's reach, whose key is in it. Null equals null.
 *
 * <p>Keys are held in memory, each once, as long as there are few enough; else keys and rows are
 * spread over temporary files by the keys' hash, and joined part after part.
 *
 * <p>Source: Iceberg spec, "Equality Delete Files" and "Scan Planning".
 */
public final class EqualityPositions {
  /** So many keys of one group are held in memory, at some 100 bytes each. */
  private static final long MAX_KEYS = 1L << 20;

  private final Table table;
  private final long maxKeys;
  private final DataFileRows rows;
  private final DeleteFileRows deleteFiles;

  public EqualityPositions(Table table) {
    this(table, MAX_KEYS);
  }

  /**
   * @param maxKeys from so many rows of delete files on, temporary files are used
   */
  EqualityPositions(Table table, long maxKeys) {
    this.table = table;
    this.maxKeys = maxKeys;
    this.rows = new DataFileRows(table);
    this.deleteFiles = new DeleteFileRows(table.io());
  }

  /**
   * The positions by data file, of those that have any.
   *
   * @param tasks as planned, each with the delete files that apply to it
   */
  public Map<String, PositionSet> of(List<FileScanTask> tasks) throws IOException {
    Map<String, PositionSet> found = new ConcurrentHashMap<>();
    for (EqualityGroup group : EqualityGroup.of(table, tasks)) {
      if (group.rows() <= maxKeys) {
        inMemory(group, found);
      } else {
        try (KeySpill spill = new KeySpill(group.rows(), maxKeys)) {
          spilled(group, spill, found);
        }
      }
    }
    return found;
  }

  private void inMemory(EqualityGroup group, Map<String, PositionSet> found) throws IOException {
    KeyTable keys = new KeyTable();
    for (DeleteFile file : group.files()) {
      forEachKey(
          group.key(), file, key -> keys.add(key.bytes(), key.length(), sequenceNumber(file)));
    }
    InParallel.map(
        group.tasks(),
        task -> {
          PositionSet.Builder positions = PositionSet.builder();
          long own = task.file().dataSequenceNumber();
          forEachRow(
              group.key(),
              task,
              (position, key) -> {
                if (keys.sequenceNumber(key.bytes(), key.length()) > own) {
                  positions.add(position);
                }
              });
          merge(found, task, positions);
          return task;
        });
  }

  private void spilled(EqualityGroup group, KeySpill spill, Map<String, PositionSet> found)
      throws IOException {
    for (DeleteFile file : group.files()) {
      forEachKey(group.key(), file, key -> spill.addKey(key, sequenceNumber(file)));
    }
    List<FileScanTask> tasks = group.tasks();
    for (int i = 0; i < tasks.size(); i++) {
      int number = i;
      forEachRow(group.key(), tasks.get(i), (position, key) -> spill.addRow(key, number, position));
    }
    List<PositionSet.Builder> positions =
        tasks.stream().map(task -> PositionSet.builder()).toList();
    spill.join(
        (number, position, sequenceNumber) -> {
          if (sequenceNumber > tasks.get(number).file().dataSequenceNumber()) {
            positions.get(number).add(position);
          }
        });
    for (int i = 0; i < tasks.size(); i++) {
      merge(found, tasks.get(i), positions.get(i));
    }
  }

  private static void merge(
      Map<String, PositionSet> found, FileScanTask task, PositionSet.Builder positions) {
    PositionSet set = positions.build();
    if (!set.isEmpty()) {
      found.merge(task.file().location(), set, PositionSet::union);
    }
  }

  private static long sequenceNumber(DeleteFile file) {
    Long number = file.dataSequenceNumber();
    if (number == null) {
      throw new IllegalStateException(
          "equality delete file " + file.location() + " has no sequence number yet");
    }
    return number;
  }

  /** What is done with a key; the key's bytes are another's afterwards. */
  private interface KeyConsumer {
    void accept(KeyEncoder key) throws IOException;
  }

  private interface RowConsumer {
    void accept(long position, KeyEncoder key) throws IOException;
  }

  private void forEachKey(KeySchema key, DeleteFile file, KeyConsumer consumer) throws IOException {
    KeyEncoder encoder = new KeyEncoder(key);
    try (CloseableIterable<StructLike> keys = deleteFiles.open(file, key.schema())) {
      for (StructLike row : keys) {
        encoder.encode(row);
        consumer.accept(encoder);
      }
    }
  }

  private void forEachRow(KeySchema key, FileScanTask task, RowConsumer consumer)
      throws IOException {
    Schema projection = withPosition(key.schema());
    int positionColumn = key.schema().columns().size();
    KeyEncoder encoder = new KeyEncoder(projection, key.fieldIds());
    try (CloseableIterable<StructLike> records = rows.open(task, projection)) {
      for (StructLike row : records) {
        encoder.encode(row);
        consumer.accept(row.get(positionColumn, Long.class), encoder);
      }
    }
  }

  private static Schema withPosition(Schema schema) {
    List<org.apache.iceberg.types.Types.NestedField> columns =
        new java.util.ArrayList<>(schema.columns());
    columns.add(MetadataColumns.ROW_POSITION);
    return new Schema(columns);
  }
}
