package dev.narwhal.lance.scan;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowVersions;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;

/** The system columns of one fragment. Safe for use by many threads. */
final class SystemColumnReader {
  private final long fragmentId;
  private final long liveRowsBefore;
  private final DeletionVector deletions;
  private final Optional<RowIdSequence> rowIds;
  private final Optional<RowVersions> created;
  private final Optional<RowVersions> lastUpdated;

  private SystemColumnReader(
      long fragmentId,
      long liveRowsBefore,
      DeletionVector deletions,
      Optional<RowIdSequence> rowIds,
      Optional<RowVersions> created,
      Optional<RowVersions> lastUpdated) {
    this.fragmentId = fragmentId;
    this.liveRowsBefore = liveRowsBefore;
    this.deletions = deletions;
    this.rowIds = rowIds;
    this.created = created;
    this.lastUpdated = lastUpdated;
  }

  /**
   * Loads what the asked columns need.
   *
   * @param names columns that will be read; others than system columns are passed over
   * @param liveRowsBefore live rows of the table's fragments before this one
   */
  static SystemColumnReader open(
      Fragment fragment,
      Collection<String> names,
      long liveRowsBefore,
      long physicalRows,
      DeletionVector deletions,
      FragmentFiles files)
      throws IOException {
    return new SystemColumnReader(
        fragment.id(),
        liveRowsBefore,
        deletions,
        names.contains(SystemColumns.ROW_ID) && fragment.rowIds().isPresent()
            ? Optional.of(files.rowIds(fragment, physicalRows))
            : Optional.empty(),
        names.contains(SystemColumns.ROW_CREATED_AT_VERSION)
            ? Optional.of(files.createdVersions(fragment, physicalRows))
            : Optional.empty(),
        names.contains(SystemColumns.ROW_LAST_UPDATED_AT_VERSION)
            ? Optional.of(files.lastUpdatedVersions(fragment, physicalRows))
            : Optional.empty());
  }

  /** Rows {@code [start, start + count)}. The caller closes the vector. */
  FieldVector read(String name, long start, int count, BufferAllocator allocator) {
    long[] values = new long[count];
    switch (name) {
      case SystemColumns.ROW_ID -> {
        if (rowIds.isPresent()) {
          rowIds.get().copyTo(start, count, values);
        } else {
          addresses(start, values);
        }
      }
      case SystemColumns.ROW_ADDRESS -> addresses(start, values);
      case SystemColumns.ROW_OFFSET -> liveOffsets(start, values);
      default -> versions(name).copyTo(start, count, values);
    }
    return vector(name, values, allocator);
  }

  /**
   * Rows {@code start + offsets[i]}. The caller closes the vector.
   *
   * @param offsets ascending, at least 0
   */
  FieldVector take(String name, long start, int[] offsets, BufferAllocator allocator) {
    long[] values = new long[offsets.length];
    switch (name) {
      case SystemColumns.ROW_ID -> {
        if (rowIds.isPresent()) {
          rowIds.get().copyTo(start, offsets, values);
        } else {
          addresses(start, offsets, values);
        }
      }
      case SystemColumns.ROW_ADDRESS -> addresses(start, offsets, values);
      case SystemColumns.ROW_OFFSET -> {
        for (int i = 0; i < offsets.length; i++) {
          values[i] = liveRowsBefore + deletions.liveBefore(start + offsets[i]);
        }
      }
      default -> versions(name).copyTo(start, offsets, values);
    }
    return vector(name, values, allocator);
  }

  private void addresses(long start, long[] values) {
    long first = RowAddress.of(fragmentId, start);
    for (int i = 0; i < values.length; i++) {
      values[i] = first + i;
    }
  }

  private void addresses(long start, int[] offsets, long[] values) {
    long first = RowAddress.of(fragmentId, start);
    for (int i = 0; i < offsets.length; i++) {
      values[i] = first + offsets[i];
    }
  }

  private void liveOffsets(long start, long[] values) {
    long[] deleted = new long[(values.length + 63) / 64];
    deletions.copyBits(start, values.length, deleted);
    long live = liveRowsBefore + deletions.liveBefore(start);
    for (int i = 0; i < values.length; i++) {
      values[i] = live;
      live += 1 - (deleted[i >>> 6] >>> i & 1);
    }
  }

  private RowVersions versions(String name) {
    Optional<RowVersions> versions =
        name.equals(SystemColumns.ROW_CREATED_AT_VERSION) ? created : lastUpdated;
    return versions.orElseThrow(
        () -> new IllegalStateException("column '" + name + "' was not asked for"));
  }

  private static FieldVector vector(String name, long[] values, BufferAllocator allocator) {
    UInt8Vector vector = new UInt8Vector(SystemColumns.field(name), allocator);
    try {
      vector.allocateNew(values.length);
      for (int i = 0; i < values.length; i++) {
        vector.set(i, values[i]);
      }
      vector.setValueCount(values.length);
      return vector;
    } catch (RuntimeException e) {
      vector.close();
      throw e;
    }
  }
}
