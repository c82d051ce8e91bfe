package dev.narwhal.iceberg.export;

import dev.narwhal.iceberg.source.SourceFragment;
import java.util.List;

/** A fragment as data files, in row order. */
record ExportedFragment(SourceFragment source, List<WrittenFile> files) {
  ExportedFragment {
    files = List.copyOf(files);
  }
}
