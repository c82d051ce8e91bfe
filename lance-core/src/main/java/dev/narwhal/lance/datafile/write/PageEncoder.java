package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the layout of pages from 2.1 on. One thread. Source: file format sheet 5.12, 5.13.
 *
 * <p>Nothing is written that ends real Lance 7.0.0: lists below nullable structs never become
 * full-zip pages, and are of chunks as large as their values instead.
 */
final class PageEncoder {
  /** Values of as many bytes are wide. */
  private static final int WIDE = 256;

  /** Byte strings of more are compressed one by one. */
  private static final int LONG = 32 << 10;

  private final String name;
  private final FileVersion version;
  private final EncodingHints hints;
  private final Coders coders = new Coders();
  private final ChunkEncoder chunks;

  /** Indices are packed and no more: what is asked for is asked of the values. */
  private final ChunkEncoder indices = new ChunkEncoder(EncodingHints.NONE, coders);

  /**
   * @param name of the column, for messages
   */
  PageEncoder(String name, FileVersion version, EncodingHints hints) {
    this.name = name;
    this.version = version;
    this.hints = hints;
    this.chunks = new ChunkEncoder(hints, coders);
  }

  /** All that was gathered, which is at least one row, as one page or several. */
  List<EncodedPage> encode(Shredder.Gathered gathered) {
    PageLevels levels = PageLevels.of(gathered.path(), gathered.levels());
    LeafValues values = gathered.values();
    List<Integer> cuts = RowCuts.of(levels);
    if (cuts.size() == 2) {
      return List.of(encode(levels, values));
    }
    List<EncodedPage> pages = new ArrayList<>();
    int slot = 0;
    for (int i = 0; i + 1 < cuts.size(); i++) {
      int visible = levels.visibleCount(cuts.get(i), cuts.get(i + 1));
      pages.add(
          encode(levels.slice(cuts.get(i), cuts.get(i + 1)), values.slice(slot, slot + visible)));
      slot += visible;
    }
    return pages;
  }

  /** The same for blobs, as one page. */
  ColumnPage blobs(Shredder.Gathered gathered) {
    PageLevels levels = PageLevels.of(gathered.path(), gathered.levels());
    return BlobPages.layout(levels, (VariableLeaf) gathered.values(), isNewest(), coders);
  }

  private boolean isNewest() {
    return version.compareTo(FileVersion.V2_2) >= 0;
  }

  private EncodedPage encode(PageLevels levels, LeafValues values) {
    if (values instanceof NothingLeaf && levels.validCount() > 0) {
      // a struct without fields, whose rows are written as if they were null
      return ConstantEncoder.simple(levels.rows());
    }
    if (levels.validCount() == 0) {
      return ConstantEncoder.nulls(levels, isNewest());
    }
    if (isNewest()) {
      Optional<EncodedPage> constant = ConstantEncoder.value(levels, values);
      if (constant.isPresent()) {
        return constant.get();
      }
    }
    if (values instanceof DictionaryLeaf dictionary) {
      return dictionary(
          levels, dictionary.indices(), DictionaryBlocks.encode(dictionary.items(), false, coders));
    }
    if (!hints.plain()) {
      Optional<ValueDictionary> dictionary = ValueDictionary.of(levels, values, isNewest());
      if (dictionary.isPresent()) {
        return dictionary(
            levels,
            dictionary.get().indices(),
            DictionaryBlocks.encode(dictionary.get().items(), isNewest(), coders));
      }
    }
    return isZipped(levels, values) ? zipped(levels, values) : miniBlock(levels, values);
  }

  private EncodedPage dictionary(
      PageLevels levels, FixedLeaf values, MiniBlockEncoder.Dictionary dictionary) {
    return miniBlock(indices, levels, values, Optional.of(dictionary), isNewest())
        .orElseThrow(() -> tooManyLevels("a dictionary"));
  }

  private boolean isZipped(PageLevels levels, LeafValues values) {
    if (values instanceof PackedLeaf packed) {
      return packed.fields().stream().anyMatch(field -> !(field instanceof FixedLeaf));
    }
    boolean bits = values instanceof ListLeaf lists && lists.leaf() instanceof BitLeaf;
    if (levels.breaksFullZip() || bits || values instanceof BitLeaf) {
      return false;
    }
    return switch (hints.structure()) {
      case MINI_BLOCK -> false;
      case FULL_ZIP -> true;
      case ANY -> longest(values) >= WIDE;
    };
  }

  private static long longest(LeafValues values) {
    if (values instanceof FixedLeaf fixed) {
      return fixed.width();
    }
    if (values instanceof ListLeaf lists) {
      return (long) lists.totalDimension() * ChunkEncoder.itemBits(lists.leaf()) / 8;
    }
    return values instanceof VariableLeaf strings ? strings.longest() : 0;
  }

  private EncodedPage zipped(PageLevels levels, LeafValues values) {
    if (values instanceof PackedLeaf packed) {
      if (levels.breaksFullZip()) {
        throw new UnsupportedFeatureException(
            "column '"
                + name
                + "': packed structs with fields of any width, in lists in structs that are null");
      }
      return FullZipEncoder.packed(levels, packed);
    }
    return values instanceof VariableLeaf strings
        ? FullZipEncoder.variable(
            levels, strings, hints, !hints.plain() && strings.longest() > LONG, coders)
        : FullZipEncoder.fixed(levels, values);
  }

  private EncodedPage miniBlock(PageLevels levels, LeafValues values) {
    Optional<EncodedPage> page = miniBlock(chunks, levels, values, Optional.empty(), isNewest());
    if (page.isPresent()) {
      return page.get();
    }
    boolean zips = values instanceof FixedLeaf || values instanceof VariableLeaf;
    if (zips && !levels.breaksFullZip()) {
      // as levels stand before each value here, it does not matter how many there are
      return zipped(levels, values);
    }
    // Real Lance 7.0.0 reads large chunks in files of 2.1 too.
    return miniBlock(chunks, levels, values, Optional.empty(), true)
        .orElseThrow(() -> tooManyLevels("such values"));
  }

  /** With fewer values in a chunk if levels take too much room, down to one. */
  private Optional<EncodedPage> miniBlock(
      ChunkEncoder encoder,
      PageLevels levels,
      LeafValues values,
      Optional<MiniBlockEncoder.Dictionary> dictionary,
      boolean largeChunks) {
    Optional<EncodedPage> page = Optional.empty();
    for (int most = ChunkEncoder.MAX_VALUES; most >= 1 && page.isEmpty(); most /= 4) {
      page =
          MiniBlockEncoder.encode(
              levels, encoder.encode(values, most), dictionary, largeChunks, isNewest(), coders);
    }
    return page;
  }

  private UnsupportedFeatureException tooManyLevels(String what) {
    return new UnsupportedFeatureException(
        "column '"
            + name
            + "': a row with more than 65,535 empty or null lists in sequence before a value"
            + " cannot be written for "
            + what);
  }
}
