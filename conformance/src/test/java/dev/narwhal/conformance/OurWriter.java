package dev.narwhal.conformance;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.write.DataFileSummary;
import dev.narwhal.lance.datafile.write.LanceFileWriter;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.DataFormat;
import dev.narwhal.lance.manifest.FeatureFlags;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestNaming;
import dev.narwhal.lance.manifest.WriterVersion;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.LogicalTypes;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Has Narwhal write data files, and a manifest that makes them a dataset of one version, which real
 * Lance opens.
 *
 * @param storageVersion {@code 2.0}, {@code 2.1} or {@code 2.2}
 * @param pageBytes of the columns
 * @param batches that a file is written in
 */
record OurWriter(Path dataset, String storageVersion, int pageBytes, int batches) {
  private static final int PAGE_BYTES = 8 << 20;

  static OurWriter at(Path dataset, String storageVersion) {
    return new OurWriter(dataset, storageVersion, PAGE_BYTES, 1);
  }

  OurWriter withPages(int bytes, int batchesOfFile) {
    return new OurWriter(dataset, storageVersion, bytes, batchesOfFile);
  }

  /** Creates the dataset with fragments of these sizes. */
  List<DataFileSummary> create(
      Schema schema, List<Integer> rowsPerFragment, JudgeWriter.Filler filler) throws IOException {
    return create(
        LogicalTypes.of(schema),
        schema,
        new DictionaryProvider.MapDictionaryProvider(),
        rowsPerFragment,
        filler);
  }

  /** The same, with dictionaries that are filled. */
  List<DataFileSummary> create(
      LanceSchema fields,
      Schema schema,
      DictionaryProvider dictionaries,
      List<Integer> rowsPerFragment,
      JudgeWriter.Filler filler)
      throws IOException {
    ObjectStore store = LocalObjectStore.at(dataset);
    List<DataFileSummary> summaries = new ArrayList<>();
    List<Fragment> fragments = new ArrayList<>();
    for (int i = 0; i < rowsPerFragment.size(); i++) {
      String name = "part-" + i + ".lance";
      DataFileSummary file =
          file(
              store,
              "data/" + name,
              fields,
              schema,
              dictionaries,
              rowsPerFragment.get(i),
              filler,
              i);
      summaries.add(file);
      fragments.add(fragment(i, name, file));
    }
    Manifest manifest =
        new Manifest(
            1,
            fields,
            fragments,
            Instant.EPOCH.plusSeconds(1_700_000_000),
            Optional.empty(),
            FeatureFlags.NONE,
            OptionalLong.of(fragments.size() - 1L),
            Optional.empty(),
            Optional.of(WriterVersion.NARWHAL),
            0,
            new DataFormat(DataFormat.LANCE, storageVersion),
            Map.of(),
            Map.of(),
            List.of(),
            Optional.empty(),
            UnknownFields.none());
    store.put(
        new ManifestLocation(1, ManifestNaming.V2).path(),
        ManifestCodec.encode(ManifestFile.of(manifest, List.of())));
    return summaries;
  }

  private DataFileSummary file(
      ObjectStore store,
      String path,
      LanceSchema fields,
      Schema schema,
      DictionaryProvider dictionaries,
      int rows,
      JudgeWriter.Filler filler,
      int fragment)
      throws IOException {
    FileVersion version = FileVersion.of(2, storageVersion.charAt(2) - '0');
    WriterOptions options = WriterOptions.of(version).withPageBytes(pageBytes);
    try (BufferAllocator allocator = new RootAllocator();
        LanceFileWriter writer = LanceFileWriter.create(store, path, fields, options)) {
      int left = rows;
      for (int i = 0; i < batches; i++) {
        int part = i == batches - 1 ? left : left / (batches - i);
        try (VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator)) {
          filler.fill(batch, fragment, part);
          writer.write(batch, dictionaries);
        }
        left -= part;
      }
      return writer.finish();
    }
  }

  private static Fragment fragment(int id, String name, DataFileSummary file) {
    DataFile dataFile =
        new DataFile(
            name,
            file.fieldIds(),
            file.columnIndices(),
            file.majorVersion(),
            file.minorVersion(),
            OptionalLong.of(file.sizeBytes()),
            OptionalInt.empty(),
            UnknownFields.none());
    return new Fragment(
        id,
        List.of(dataFile),
        Optional.empty(),
        OptionalLong.of(file.rows()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        UnknownFields.none());
  }
}
