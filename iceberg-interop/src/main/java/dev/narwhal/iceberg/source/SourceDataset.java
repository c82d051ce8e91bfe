package dev.narwhal.iceberg.source;

import dev.narwhal.iceberg.mapping.SourceField;
import java.util.List;

/** One version of a Lance dataset, as its mirror sees it. Safe for use by many threads. */
public interface SourceDataset {
  /** Where the dataset is. */
  String uri();

  /** The version, at least 1. */
  long version();

  /** The top-level columns, in order. */
  List<SourceField> columns();

  /** The fragments, by ascending id. */
  List<? extends SourceFragment> fragments();
}
