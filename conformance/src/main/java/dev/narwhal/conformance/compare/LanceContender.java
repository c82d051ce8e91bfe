package dev.narwhal.conformance.compare;

import dev.narwhal.iceberg.mapping.MappingRules;
import dev.narwhal.iceberg.source.LanceSource;
import dev.narwhal.iceberg.verify.RowVerification;
import dev.narwhal.iceberg.verify.RowsDigest;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FileLocation;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.storage.ObjectReader;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;

/** Lance itself: a deletion file for each touched fragment. */
final class LanceContender implements Contender {
  private final Dataset source;
  private final MappingRules rules;
  private final BufferAllocator allocator;
  private String copy = "";

  /**
   * @param rules for the rows that are hashed
   */
  LanceContender(Dataset source, MappingRules rules, BufferAllocator allocator) {
    this.source = source;
    this.rules = rules;
    this.allocator = allocator;
  }

  @Override
  public void prepare(Path folder) throws IOException {
    DatasetCopy.of(source, folder);
    copy = folder.toString();
  }

  @Override
  public void delete(String where) throws IOException {
    open().delete(where);
  }

  @Override
  public RowsDigest read() throws IOException {
    return RowVerification.digest(new LanceSource(open(), allocator), rules);
  }

  @Override
  public long bytesRead() throws IOException {
    Dataset dataset = open();
    long bytes = 0;
    for (Fragment fragment : dataset.fragments()) {
      for (DataFile file : fragment.files()) {
        bytes += sizeBytes(dataset.manifest().locate(file));
      }
      if (fragment.deletionFile().isPresent()) {
        bytes += sizeBytes(dataset.manifest().locate(fragment.id(), fragment.deletionFile().get()));
      }
    }
    return bytes;
  }

  private Dataset open() throws IOException {
    return Dataset.open(copy, VersionSelector.latest(), allocator);
  }

  private long sizeBytes(FileLocation location) throws IOException {
    ObjectStore store =
        LocalObjectStore.at(location.base().isPresent() ? location.base().get().path() : copy);
    try (ObjectReader reader = store.open(location.path())) {
      return reader.sizeBytes();
    }
  }
}
