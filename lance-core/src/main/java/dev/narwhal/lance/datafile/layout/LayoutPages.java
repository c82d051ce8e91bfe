package dev.narwhal.lance.datafile.layout;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes decoders of pages from 2.1 on. The page message decides, not the version of the file.
 *
 * <p>Pages with one item layer are decoded: levels go straight to the validity of rows. With
 * repetition or more layers, a page's levels and values have to be unravelled by the schema first;
 * {@link LevelDecoder}, {@link ChunkDecoder} and {@link ChunkTable} do not depend on that.
 */
public final class LayoutPages {
  private LayoutPages() {}

  /**
   * A decoder for a page whose {@code encoding} is a serialised {@code PageLayout}.
   *
   * @throws UnsupportedFeatureException naming field, logical type and layout
   */
  public static PageDecoder open(PageSource page) throws IOException {
    Layout layout = LayoutCodec.decode(page.encoding());
    try {
      return open(page, layout);
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

  /** Name of the layout that a page message has: {@code mini-block}. */
  public static String layout(ByteString encoding) {
    return LayoutCodec.decode(encoding).name();
  }

  /** Encodings in a page message: {@code general(zstd, flat 32), definition flat 16}. */
  public static String describe(ByteString encoding) {
    return LayoutCodec.decode(encoding).describe();
  }

  private static PageDecoder open(PageSource page, Layout layout) throws IOException {
    if (layout instanceof Layout.Unsupported) {
      throw new UnsupportedFeatureException("this layout is not supported");
    }
    if (layout instanceof Layout.Blob blob) {
      return new BlobPage(descriptors(page, blob), onlyLayer(page, layout).levels());
    }
    Layer layer = onlyLayer(page, layout);
    if (layout instanceof Layout.Constant constant) {
      return ConstantPage.open(page, constant, layer);
    }
    if (page.shape() instanceof ValueShape.Nothing) {
      throw new LanceFormatException(layout.name() + " page of a column that holds only nulls");
    }
    if (layout instanceof Layout.MiniBlock miniBlock) {
      return miniBlock(page, miniBlock, layer);
    }
    return fullZip(page, (Layout.FullZip) layout, layer);
  }

  /** A decoder of the descriptors in a blob page, none of which is null. */
  static PageDecoder descriptors(PageSource page, Layout.Blob layout) throws IOException {
    if (!(layout.descriptors() instanceof Layout.MiniBlock inner)
        || inner.definition().isPresent()
        || !inner.layers().equals(List.of(Layer.ALL_VALID_ITEM))) {
      throw new UnsupportedFeatureException("descriptors of blobs other than packed in chunks");
    }
    return miniBlock(page, inner, Layer.ALL_VALID_ITEM);
  }

  private static Layer onlyLayer(PageSource page, Layout layout) {
    List<Layer> layers = layout.layers();
    if (layers.size() == 1 && !layers.get(0).isList()) {
      return layers.get(0);
    }
    // descriptors of blobs are packed, none of them null, in a struct that may be
    if (page.field().isBlobV2()
        && layers.size() == 2
        && layers.get(0) == Layer.ALL_VALID_ITEM
        && !layers.get(1).isList()) {
      return layers.get(1);
    }
    throw new UnsupportedFeatureException(
        "layers " + layout.layers() + " are not supported yet, only one of items");
  }

  private static PageDecoder miniBlock(PageSource page, Layout.MiniBlock layout, Layer layer)
      throws IOException {
    if (layout.repetition().isPresent() || layout.repetitionIndexDepth() != 0) {
      throw new LanceFormatException("repetition in a page without lists");
    }
    checkCount("items", layout.items(), page.rows());
    int maxUnitBytes =
        layout.largeChunks() ? BlockDecoder.MAX_UNIT_BYTES : ChunkDecoder.MAX_UNIT_BYTES;
    ChunkDecoder values =
        ChunkDecoder.of(
            layout.values(),
            layout.dictionary().isPresent() ? indexShape(layout.values()) : page.shape(),
            maxUnitBytes);
    checkCount("value buffers", layout.valueBuffers(), values.bufferCount());
    LevelDecoder definition =
        layout.definition().isEmpty()
            ? null
            : new LevelDecoder(layout.definition().get(), layer.levels());
    ChunkTable chunks =
        ChunkTable.decode(
            page.buffers().read(0), layout.largeChunks(), page.rows(), page.buffers().sizeBytes(1));
    Chunk.Format format =
        new Chunk.Format(false, definition != null, values.bufferCount(), layout.largeChunks());
    return new MiniBlockPage(
        page.buffers(),
        chunks,
        new MiniBlockRows(format, definition, values, dictionary(page, layout)));
  }

  static @Nullable Values dictionary(PageSource page, Layout.MiniBlock layout) throws IOException {
    if (layout.dictionary().isEmpty()) {
      return null;
    }
    BlockDecoder block = BlockDecoder.of(layout.dictionary().get(), page.shape());
    try {
      return block.decode(page.buffers().read(2), layout.dictionaryItems(), Scratch.onHeap());
    } catch (LanceFormatException e) {
      throw e.in("dictionary");
    }
  }

  static ValueShape indexShape(Encoding indices) {
    int bits = indices.valueBits().orElse(0);
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
      throw new LanceFormatException("dictionary indices encoded as " + indices.describe());
    }
    return new ValueShape.FixedWidth(bits / 8);
  }

  private static PageDecoder fullZip(PageSource page, Layout.FullZip layout, Layer layer)
      throws IOException {
    if (layout.repetitionBits() != 0) {
      throw new LanceFormatException("repetition in a page without lists");
    }
    checkCount("items", layout.items(), page.rows());
    checkCount("visible items", layout.visibleItems(), page.rows());
    ControlWord control =
        new ControlWord(layout.controlBytes(), layout.definitionBits(), layer.levels());
    if (layout.bitsPerOffset().isPresent()) {
      return new VariableZipPage(
          page.buffers(),
          control,
          layout.bitsPerOffset().getAsInt() / 8,
          ZipValues.of(layout.values(), page.shape()),
          RowPositions.open(page.buffers(), page.rows()));
    }
    FixedZipValues values = FixedZipValues.of(layout.values(), page.shape());
    checkCount("value bits", layout.bitsPerValue().orElse(-1), 8L * values.widthBytes());
    long stride = (long) control.sizeBytes() + values.widthBytes();
    checkCount("data bytes", page.buffers().sizeBytes(0), Math.multiplyExact(stride, page.rows()));
    return new FixedZipPage(page.buffers(), control, values);
  }

  static void checkCount(String what, long found, long expected) {
    if (found != expected) {
      throw new LanceFormatException(
          Long.toUnsignedString(found) + " " + what + ", expected " + expected);
    }
  }
}
