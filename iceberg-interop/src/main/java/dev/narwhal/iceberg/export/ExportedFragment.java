package dev.narwhal.iceberg.export;

import dev.narwhal.lance.deletion.DeletionVector;
import java.util.List;

/** A fragment as data files, in row order. */
record ExportedFragment(long physicalRows, DeletionVector deletions, List<WrittenFile> files) {
  ExportedFragment {
    files = List.copyOf(files);
  }
}
