package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes decoders of the pages of leaves in trees, with levels for every field from the leaf to the
 * root. The page message decides, not the version of the file. For pages whose only layer is the
 * leaf's there is {@link LayoutPages}.
 */
public final class LevelPages {
  private LevelPages() {}

  /**
   * A decoder for a page whose {@code encoding} is a serialised {@code PageLayout}.
   *
   * @param path of the column in its tree
   * @throws UnsupportedFeatureException naming field, logical type and layout
   */
  public static LevelPage open(PageSource page, LeafPath path) throws IOException {
    Layout layout = LayoutCodec.decode(page.encoding());
    try {
      return open(page, layout, path);
    } catch (UnsupportedFeatureException e) {
      throw e.in(
          "field '"
              + page.field().name()
              + "' of type "
              + page.field().logicalType()
              + ", "
              + layout.name()
              + "("
              + layout.describe()
              + ")");
    }
  }

  private static LevelPage open(PageSource page, Layout layout, LeafPath path) throws IOException {
    if (layout instanceof Layout.MiniBlock miniBlock) {
      return miniBlock(page, miniBlock, LevelMeaning.of(layout.layers(), path));
    }
    if (layout instanceof Layout.FullZip fullZip) {
      return fullZip(page, fullZip, LevelMeaning.of(layout.layers(), path));
    }
    if (layout instanceof Layout.Constant constant) {
      LevelMeaning meaning = LevelMeaning.of(layout.layers(), path);
      Values value = ConstantPage.value(page, constant);
      return page.buffers().count() < 2
          ? ConstantLevelPage.open(page, meaning, value)
          : ConstantLevelPage.open(page, constant, meaning, value);
    }
    if (layout instanceof Layout.Blob blob) {
      return BlobLevelPage.open(page, blob, LevelMeaning.of(layout.layers(), path));
    }
    throw new UnsupportedFeatureException("this layout is not supported");
  }

  private static LevelPage miniBlock(PageSource page, Layout.MiniBlock layout, LevelMeaning meaning)
      throws IOException {
    refuseNothing(page, layout);
    boolean lists = meaning.maxRepetition() > 0;
    if (layout.repetition().isPresent() != lists
        || layout.repetitionIndexDepth() != (lists ? 1 : 0)) {
      throw new LanceFormatException(
          "mini-block page of layers "
              + layout.layers()
              + " with"
              + (layout.repetition().isPresent() ? "" : "out")
              + " repetition and an index of depth "
              + Integer.toUnsignedString(layout.repetitionIndexDepth()));
    }
    if (!lists) {
      LayoutPages.checkCount("items", layout.items(), page.rows());
    }
    PageBuffers buffers = page.buffers();
    ChunkTable chunks =
        ChunkTable.decode(
            buffers.read(0), layout.largeChunks(), layout.items(), buffers.sizeBytes(1));
    ChunkRows rows =
        lists
            ? ChunkRows.decode(buffers.read(buffers.count() - 1), chunks.count(), page.rows())
            : ChunkRows.ofValues(chunks);
    return new MiniBlockLevelPage(buffers, meaning, chunks, rows, decoders(page, layout, meaning));
  }

  private static MiniBlockLevelPage.Decoders decoders(
      PageSource page, Layout.MiniBlock layout, LevelMeaning meaning) throws IOException {
    ChunkDecoder values =
        ChunkDecoder.of(
            layout.values(),
            layout.dictionary().isPresent()
                ? LayoutPages.indexShape(layout.values())
                : page.shape(),
            layout.largeChunks() ? BlockDecoder.MAX_UNIT_BYTES : ChunkDecoder.MAX_UNIT_BYTES);
    LayoutPages.checkCount("value buffers", layout.valueBuffers(), values.bufferCount());
    LevelDecoder repetition = levels(layout.repetition(), meaning.maxRepetition());
    LevelDecoder definition = levels(layout.definition(), meaning.maxDefinition());
    return new MiniBlockLevelPage.Decoders(
        new Chunk.Format(
            repetition != null, definition != null, values.bufferCount(), layout.largeChunks()),
        repetition,
        definition,
        values,
        LayoutPages.dictionary(page, layout));
  }

  private static @Nullable LevelDecoder levels(Optional<Encoding> encoding, int max) {
    return encoding.isEmpty() ? null : new LevelDecoder(encoding.get(), max);
  }

  private static LevelPage fullZip(PageSource page, Layout.FullZip layout, LevelMeaning meaning)
      throws IOException {
    refuseNothing(page, layout);
    boolean lists = meaning.maxRepetition() > 0;
    if (lists ? layout.repetitionBits() == 0 : layout.repetitionBits() != 0) {
      throw new LanceFormatException(
          "full-zip page of layers "
              + layout.layers()
              + " with "
              + layout.repetitionBits()
              + " bits of repetition");
    }
    if (!lists) {
      LayoutPages.checkCount("items", layout.items(), page.rows());
    }
    ZipFormat format = format(page, layout, meaning);
    long rowBytes = format.rowBytes();
    if (rowBytes < 0) {
      return new ZipLevelPage(
          page.buffers(),
          format,
          RowPositions.open(page.buffers(), page.rows()),
          (double) layout.items() / page.rows());
    }
    LayoutPages.checkCount(
        "data bytes", page.buffers().sizeBytes(0), Math.multiplyExact(rowBytes, page.rows()));
    return new ZipLevelPage(page.buffers(), format, null, 1);
  }

  private static ZipFormat format(PageSource page, Layout.FullZip layout, LevelMeaning meaning) {
    if (layout.bitsPerOffset().isPresent()) {
      return new ZipFormat(
          meaning,
          layout.controlBytes(),
          layout.repetitionBits(),
          layout.definitionBits(),
          layout.bitsPerOffset().getAsInt() / 8,
          null,
          ZipValues.of(layout.values(), page.shape()));
    }
    FixedZipValues values = FixedZipValues.of(layout.values(), page.shape());
    LayoutPages.checkCount(
        "value bits", layout.bitsPerValue().orElse(-1), 8L * values.widthBytes());
    return new ZipFormat(
        meaning,
        layout.controlBytes(),
        layout.repetitionBits(),
        layout.definitionBits(),
        0,
        values,
        null);
  }

  private static void refuseNothing(PageSource page, Layout layout) {
    if (page.shape() instanceof ValueShape.Nothing) {
      throw new LanceFormatException(layout.name() + " page of a column that holds only nulls");
    }
  }
}
