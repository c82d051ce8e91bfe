package dev.narwhal.iceberg.deletes;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.puffin.DvPuffinReader;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.data.DeleteLoader;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * The positions that a table's delete files delete from its data files, by whatever kind of file.
 * Position delete files of several data files are read once. Safe for use by many threads.
 */
public final class ExistingDeletes {
  private final FileIO io;
  private final DeleteLoader positionDeletes;

  public ExistingDeletes(FileIO io) {
    this.io = io;
    this.positionDeletes = new CachingLoader(io);
  }

  /**
   * The dead positions of a data file, as the planner sees them.
   *
   * @throws UnsupportedFeatureException if rows are deleted by equality
   * @throws dev.narwhal.puffin.PuffinFormatException if a deletion vector is damaged, or does not
   *     hold as many positions as the metadata says
   */
  public PositionSet of(FileScanTask task) throws IOException {
    List<DeleteFile> deletes = task.deletes();
    for (DeleteFile delete : deletes) {
      if (delete.content() == FileContent.EQUALITY_DELETES) {
        throw new UnsupportedFeatureException(
            "data file "
                + task.file().location()
                + " has the equality delete file "
                + delete.location()
                + ": resolve equality deletes first");
      }
    }
    if (deletes.isEmpty()) {
      return PositionSet.empty();
    }
    if (ContentFileUtil.containsSingleDV(deletes)) {
      return vector(deletes.get(0));
    }
    PositionSet.Builder positions = PositionSet.builder();
    positionDeletes.loadPositionDeletes(deletes, task.file().location()).forEach(positions::add);
    return positions.build();
  }

  private PositionSet vector(DeleteFile vector) throws IOException {
    PositionSet positions =
        new DvPuffinReader(io.newInputFile(vector.location()))
            .positions(vector.contentOffset(), vector.contentSizeInBytes());
    if (positions.cardinality() != vector.recordCount()) {
      throw new dev.narwhal.puffin.PuffinFormatException(
              positions.cardinality()
                  + " positions, expected "
                  + vector.recordCount()
                  + " as the table's metadata says")
          .in(ContentFileUtil.dvDesc(vector));
    }
    return positions;
  }

  private static final class CachingLoader extends BaseDeleteLoader {
    /** Positions take about a byte each. */
    private static final long LARGEST_CACHED = 16L << 20;

    private final Map<String, Object> cache = new ConcurrentHashMap<>();

    private CachingLoader(FileIO io) {
      super(file -> io.newInputFile(file.location()));
    }

    @Override
    protected boolean canCache(long positions) {
      return positions <= LARGEST_CACHED;
    }

    @Override
    @SuppressWarnings("unchecked") // a key always has the same kind of value
    protected <V> V getOrLoad(String key, Supplier<V> loader, long positions) {
      return (V) cache.computeIfAbsent(key, absent -> loader.get());
    }
  }
}
