package dev.narwhal.iceberg.rowdelete.maintenance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * All live data and delete files of one snapshot, as its manifests list them. Unlike a scan it can
 * be made of a table in which a data file has two vectors.
 *
 * @param snapshotId the snapshot
 * @param dataFiles by location
 * @param deletes every live entry, whether or not it applies to a data file
 */
public record Inventory(
    long snapshotId, Map<String, DataFile> dataFiles, List<DeleteFile> deletes) {

  /** What a snapshot has. */
  public static Inventory of(Table table, Snapshot snapshot) throws IOException {
    Map<String, DataFile> dataFiles = new LinkedHashMap<>();
    for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
      try (ManifestReader<DataFile> reader =
          ManifestFiles.read(manifest, table.io(), table.specs())) {
        reader.forEach(file -> dataFiles.put(file.location(), file.copyWithoutStats()));
      }
    }
    List<DeleteFile> deletes = new ArrayList<>();
    for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
      try (ManifestReader<DeleteFile> reader =
          ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
        reader.forEach(file -> deletes.add(file.copy()));
      }
    }
    return new Inventory(snapshot.snapshotId(), dataFiles, deletes);
  }

  /** The vectors by the location of their data file. */
  public Map<String, List<DeleteFile>> vectors() {
    Map<String, List<DeleteFile>> vectors = new LinkedHashMap<>();
    for (DeleteFile file : deletes) {
      if (ContentFileUtil.isDV(file)) {
        vectors
            .computeIfAbsent(
                Optional.ofNullable(file.referencedDataFile()).orElse(""),
                absent -> new ArrayList<>())
            .add(file);
      }
    }
    return vectors;
  }
}
