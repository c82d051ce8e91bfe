package dev.narwhal.conformance.compare;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.scan.MatchReader;
import dev.narwhal.lance.scan.Scan.Match;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.storage.ObjectReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/**
 * How much of a dataset a delete is about.
 *
 * @param liveRows before the delete
 * @param deletedRows live rows that match
 * @param deletedBytes for each fragment the bytes of its data files times the share of its physical
 *     rows that match, summed
 */
record DeletedShare(long liveRows, long deletedRows, long deletedBytes) {

  static DeletedShare of(Dataset dataset, Predicate where, BufferAllocator allocator)
      throws IOException {
    Map<Long, Long> matched = new HashMap<>();
    try (MatchReader matches =
        dataset.scan(ScanOptions.of(List.of()).withFilter(where)).matches(allocator)) {
      for (Optional<Match> match = matches.next(); match.isPresent(); match = matches.next()) {
        long rows = match.get().rows().cardinality();
        matched.merge(match.get().fragment().id(), rows, Long::sum);
      }
    }
    long rows = 0;
    double bytes = 0;
    for (Fragment fragment : dataset.fragments()) {
      long deleted = matched.getOrDefault(fragment.id(), 0L);
      rows += deleted;
      if (deleted > 0) {
        bytes += (double) sizeBytes(dataset, fragment) * deleted / dataset.physicalRows(fragment);
      }
    }
    return new DeletedShare(dataset.countRows(), rows, Math.round(bytes));
  }

  /** Bytes written over the bytes of the deleted rows; 0 when there are none. */
  double amplification(long bytesWritten) {
    return deletedBytes == 0 ? 0 : (double) bytesWritten / deletedBytes;
  }

  private static long sizeBytes(Dataset dataset, Fragment fragment) throws IOException {
    long bytes = 0;
    for (DataFile file : fragment.files()) {
      if (file.sizeBytes().isPresent()) {
        bytes += file.sizeBytes().getAsLong();
      } else {
        try (ObjectReader reader =
            LocalObjectStore.at(dataset.uri()).open(dataset.manifest().locate(file).path())) {
          bytes += reader.sizeBytes();
        }
      }
    }
    return bytes;
  }
}
