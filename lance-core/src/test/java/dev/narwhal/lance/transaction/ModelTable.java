package dev.narwhal.lance.transaction;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.deletion.DeletionFiles;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.deletion.EncodedDeletions;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.DataFormat;
import dev.narwhal.lance.manifest.FeatureFlags;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestNaming;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.WriterVersion;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.roaringbitmap.RoaringBitmap;

/**
 * A table of one number per row. Its data files exist by name only: what is in them is kept here,
 * since a commit never looks. Manifests, transactions and deletion files are real.
 */
final class ModelTable {
  private final ObjectStore store;
  private final Map<String, List<Long>> contents = new HashMap<>();
  private final AtomicLong names = new AtomicLong();
  private final TableReads reads;

  ModelTable(ObjectStore store) {
    this.store = store;
    this.reads = new TableReads(store, Stores.local());
  }

  /** Makes version 1, with a fragment of each list. */
  void create(List<List<Long>> fragments) throws IOException {
    List<Fragment> all = new ArrayList<>();
    for (List<Long> values : fragments) {
      all.add(fragment(values).withId(all.size()));
    }
    Manifest manifest =
        new Manifest(
            1,
            SampleOperations.SCHEMA,
            all,
            Instant.EPOCH,
            Optional.empty(),
            FeatureFlags.NONE,
            OptionalLong.of(all.size() - 1),
            Optional.empty(),
            Optional.of(WriterVersion.NARWHAL),
            0,
            new DataFormat(DataFormat.LANCE, "2.1"),
            Map.of(),
            Map.of(),
            List.of(),
            Optional.empty(),
            UnknownFields.none());
    store.put(
        new ManifestLocation(1, ManifestNaming.V2).path(),
        ManifestCodec.encode(ManifestFile.of(manifest, List.of())));
  }

  ObjectStore store() {
    return store;
  }

  ManifestFile latest() throws IOException {
    return new ManifestStore(store).readLatest();
  }

  /** A new fragment, still without an id. */
  Fragment fragment(List<Long> values) {
    DataFile file = SampleOperations.file("m" + names.incrementAndGet() + ".lance", 0, 1);
    contents.put(file.path(), values);
    return SampleOperations.fragment(0, file).withPhysicalRows(values.size());
  }

  /** The same fragment with other values in another file. */
  Fragment rewritten(Fragment fragment, LongUnaryOperator change) {
    DataFile file = SampleOperations.file("m" + names.incrementAndGet() + ".lance", 0, 1);
    List<Long> changed = new ArrayList<>();
    for (long value : contents.getOrDefault(fragment.files().get(0).path(), List.of())) {
      changed.add(change.applyAsLong(value));
    }
    contents.put(file.path(), changed);
    return fragment.withFiles(List.of(file));
  }

  /** The live values of a version, in order. */
  List<Long> values(Manifest manifest) throws IOException {
    List<Long> values = new ArrayList<>();
    for (Fragment fragment : manifest.fragments()) {
      values.addAll(live(manifest, fragment));
    }
    return values;
  }

  List<Long> live(Manifest manifest, Fragment fragment) throws IOException {
    DeletionVector deleted = reads.deletions(manifest, fragment);
    List<Long> values = new ArrayList<>();
    List<Long> physical = contents.getOrDefault(fragment.files().get(0).path(), List.of());
    for (int i = 0; i < physical.size(); i++) {
      if (!deleted.contains(i)) {
        values.add(physical.get(i));
      }
    }
    return values;
  }

  /** The rows of a version with one of these values. */
  AffectedRows find(Manifest manifest, List<Long> wanted) throws IOException {
    Map<Long, DeletionVector> rows = new HashMap<>();
    for (Fragment fragment : manifest.fragments()) {
      DeletionVector deleted = reads.deletions(manifest, fragment);
      List<Long> physical = contents.getOrDefault(fragment.files().get(0).path(), List.of());
      RoaringBitmap found = new RoaringBitmap();
      for (int i = 0; i < physical.size(); i++) {
        if (!deleted.contains(i) && wanted.contains(physical.get(i))) {
          found.add(i);
        }
      }
      rows.put(fragment.id(), DeletionVector.of(found));
    }
    return AffectedRows.of(rows);
  }

  /** Fragments without these rows: those that keep some, and the ids of those that do not. */
  void delete(Manifest manifest, AffectedRows rows, List<Fragment> updated, List<Long> removed)
      throws IOException {
    for (long id : rows.fragments()) {
      Fragment fragment = manifest.fragment(id).orElseThrow();
      DeletionVector all = reads.deletions(manifest, fragment).union(rows.of(id));
      if (all.cardinality() == fragment.physicalRows().getAsLong()) {
        removed.add(id);
      } else {
        DeletionFile file =
            DeletionFiles.write(
                store,
                id,
                manifest.version(),
                names.incrementAndGet(),
                EncodedDeletions.array(all));
        updated.add(fragment.withDeletionFile(file));
      }
    }
  }
}
