package dev.narwhal.iceberg.deletes;

import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;

/**
 * Reads position delete files, with memory for the ones used last: a file that deletes from many
 * data files is read once, not once for each. Bounded by the number of positions, about a byte
 * each. Safe for use by many threads; one loads a file while others load others.
 *
 * <p>Source: Iceberg spec, "Position Delete Files".
 */
final class PositionDeleteCache {
  private static final long LARGEST_FILE = 16L << 20;
  private static final long ALL_FILES = 64L << 20;

  /** No data file has so many rows; memory for positions grows with the greatest of them. */
  private static final long POSITION_LIMIT = 1L << 40;

  private static final Schema PATH_AND_POSITION =
      new Schema(MetadataColumns.DELETE_FILE_PATH, MetadataColumns.DELETE_FILE_POS);

  /** The content of one file, loaded when it is first asked for. */
  private final class Content {
    private final DeleteFile file;
    private @Nullable Map<String, PositionSet> value;

    private Content(DeleteFile file) {
      this.file = file;
    }

    private synchronized Map<String, PositionSet> get() throws IOException {
      Map<String, PositionSet> known = value;
      if (known == null) {
        known = read(file);
        value = known;
      }
      return known;
    }
  }

  private final DeleteFileRows rows;

  /** Least recently used first. */
  private final Map<String, Content> files = new LinkedHashMap<>(16, 0.75f, true);

  private long held;

  PositionDeleteCache(FileIO io) {
    this.rows = new DeleteFileRows(io);
  }

  /**
   * The positions that a file deletes from a data file.
   *
   * @throws DamagedDeleteFileException if the file cannot be read, or has a position that is none
   */
  PositionSet positions(DeleteFile file, String dataFile) throws IOException {
    return file.recordCount() <= LARGEST_FILE
        ? content(file).get().getOrDefault(dataFile, PositionSet.empty())
        : read(file, dataFile);
  }

  private synchronized Content content(DeleteFile file) {
    Content content = files.get(file.location());
    if (content == null) {
      content = new Content(file);
      held += file.recordCount();
      files.put(file.location(), content);
      Iterator<Content> oldest = files.values().iterator();
      while (held > ALL_FILES && files.size() > 1) {
        held -= oldest.next().file.recordCount();
        oldest.remove();
      }
    }
    return content;
  }

  private Map<String, PositionSet> read(DeleteFile file) throws IOException {
    Map<String, PositionSet.Builder> builders = new HashMap<>();
    try (CloseableIterable<StructLike> all = rows.open(file, PATH_AND_POSITION)) {
      for (StructLike row : all) {
        String path = path(file, row);
        builders
            .computeIfAbsent(path, absent -> PositionSet.builder())
            .add(position(file, path, row));
      }
    }
    Map<String, PositionSet> sets = new HashMap<>();
    builders.forEach((path, builder) -> sets.put(path, builder.build()));
    return sets;
  }

  private PositionSet read(DeleteFile file, String dataFile) throws IOException {
    PositionSet.Builder builder = PositionSet.builder();
    Expression mayMatch = Expressions.equal(MetadataColumns.DELETE_FILE_PATH.name(), dataFile);
    try (CloseableIterable<StructLike> all = rows.open(file, PATH_AND_POSITION, mayMatch)) {
      for (StructLike row : all) {
        if (path(file, row).equals(dataFile)) {
          builder.add(position(file, dataFile, row));
        }
      }
    }
    return builder.build();
  }

  private static String path(DeleteFile file, StructLike row) {
    CharSequence path = row.get(0, CharSequence.class);
    if (path == null) {
      throw new DamagedDeleteFileException(
          "delete file " + file.location() + " has a row without a data file; restore the file");
    }
    return path.toString();
  }

  private static long position(DeleteFile file, String path, StructLike row) {
    Long position = row.get(1, Long.class);
    if (position == null || position < 0 || position >= POSITION_LIMIT) {
      throw new DamagedDeleteFileException(
          "position "
              + position
              + " of "
              + path
              + " in delete file "
              + file.location()
              + " is none that a row can have; restore the delete file");
    }
    return position;
  }
}
