package dev.narwhal.iceberg.rowdelete.maintenance;

import dev.narwhal.iceberg.deletes.DamagedDeleteFileException;
import dev.narwhal.iceberg.deletes.DeleteFileRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.iceberg.util.PartitionMap;

/**
 * Finds the delete files that delete from no live data file: each is looked at by its own reach,
 * which is one data file, the partition of its spec, or the whole table. A file that names data
 * files in its rows is found only if the table's snapshots know all of them: other names may be
 * damaged ones of live data files.
 *
 * <p>Source: Iceberg spec, "Scan Planning".
 */
final class DanglingDeletes {
  /** Positions reach files up to their sequence number, keys only files before it. */
  private record Reach(long lowest) {}

  private final Table table;
  private final Inventory inventory;
  private final PartitionMap<Reach> partitions;
  private final Map<String, DataFile> dataFiles;

  /** What data files there are and were; empty until it is needed. */
  private Optional<Set<String>> known = Optional.empty();

  private final List<DeleteFile> doubtful = new ArrayList<>();
  private long lowestOfAll = Long.MAX_VALUE;

  DanglingDeletes(Table table, Inventory inventory) {
    this.table = table;
    this.inventory = inventory;
    this.partitions = PartitionMap.create(table.specs());
    this.dataFiles = new HashMap<>(inventory.dataFiles());
    for (DataFile file : dataFiles.values()) {
      long number = sequenceNumber(file.dataSequenceNumber());
      lowestOfAll = Math.min(lowestOfAll, number);
      Reach known = partitions.get(file.specId(), file.partition());
      if (known == null || number < known.lowest()) {
        partitions.put(file.specId(), file.partition(), new Reach(number));
      }
    }
  }

  private static long sequenceNumber(Long number) {
    return Optional.ofNullable(number).orElse(0L);
  }

  /** Files that would be found if it were known that their data files are gone. */
  List<DeleteFile> doubtful() {
    return doubtful;
  }

  /**
   * The files. {@link #doubtful} is complete after this.
   *
   * @param unreadable is given what befell a file that cannot be looked at, and is not found
   */
  List<DeleteFile> find(Consumer<RuntimeException> unreadable) throws IOException {
    List<DeleteFile> dangling = new ArrayList<>();
    Map<String, List<DeleteFile>> vectors = inventory.vectors();
    for (DeleteFile file : inventory.deletes()) {
      try {
        if (!lives(file, vectors)) {
          dangling.add(file);
        }
      } catch (NotFoundException | DamagedDeleteFileException e) {
        unreadable.accept(e);
      }
    }
    return dangling;
  }

  private boolean lives(DeleteFile file, Map<String, List<DeleteFile>> vectors) throws IOException {
    return file.content() == FileContent.EQUALITY_DELETES
        ? lowest(file) < sequenceNumber(file.dataSequenceNumber())
        : positionsLive(file, vectors);
  }

  private boolean positionsLive(DeleteFile file, Map<String, List<DeleteFile>> vectors)
      throws IOException {
    String referenced = ContentFileUtil.referencedDataFileLocation(file);
    if (referenced != null) {
      return applies(file, referenced, vectors);
    }
    return lowest(file) <= sequenceNumber(file.dataSequenceNumber())
        && mayDeleteFromAny(file, vectors);
  }

  /** A vector makes position delete files of its data file void. */
  private boolean applies(DeleteFile file, String location, Map<String, List<DeleteFile>> vectors) {
    DataFile dataFile = dataFiles.get(location);
    return dataFile != null
        && sequenceNumber(dataFile.dataSequenceNumber())
            <= sequenceNumber(file.dataSequenceNumber())
        && (ContentFileUtil.isDV(file) || !vectors.containsKey(location));
  }

  private boolean mayDeleteFromAny(DeleteFile file, Map<String, List<DeleteFile>> vectors)
      throws IOException {
    boolean allKnown = true;
    String last = "";
    Schema path = new Schema(MetadataColumns.DELETE_FILE_PATH);
    try (CloseableIterable<StructLike> rows = new DeleteFileRows(table.io()).open(file, path)) {
      for (StructLike row : rows) {
        String named = String.valueOf(row.get(0, CharSequence.class));
        if (named.equals(last)) {
          continue;
        }
        last = named;
        if (applies(file, named, vectors)) {
          return true;
        }
        allKnown = allKnown && known().contains(named);
      }
    }
    if (!allKnown) {
      doubtful.add(file);
    }
    return !allKnown;
  }

  private Set<String> known() throws IOException {
    if (known.isEmpty()) {
      Set<String> locations = new HashSet<>();
      Set<String> manifests = new HashSet<>();
      for (Snapshot snapshot : table.snapshots()) {
        for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
          if (manifests.add(manifest.path())) {
            try (CloseableIterable<String> paths =
                ManifestFiles.readPaths(manifest, table.io(), table.specs())) {
              paths.forEach(locations::add);
            }
          }
        }
      }
      known = Optional.of(locations);
    }
    return known.get();
  }

  /** The lowest sequence number of the data files that a delete file could reach. */
  private long lowest(DeleteFile file) {
    PartitionSpec spec = Optional.ofNullable(table.specs().get(file.specId())).orElseThrow();
    if (file.content() == FileContent.EQUALITY_DELETES && spec.isUnpartitioned()) {
      return lowestOfAll;
    }
    Reach reach = partitions.get(file.specId(), file.partition());
    return reach == null ? Long.MAX_VALUE : reach.lowest();
  }
}
