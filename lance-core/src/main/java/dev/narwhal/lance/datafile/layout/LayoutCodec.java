package dev.narwhal.lance.datafile.layout;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.encodings21.BlobLayout;
import dev.narwhal.lance.proto.encodings21.CompressiveEncoding;
import dev.narwhal.lance.proto.encodings21.ConstantLayout;
import dev.narwhal.lance.proto.encodings21.FullZipLayout;
import dev.narwhal.lance.proto.encodings21.MiniBlockLayout;
import dev.narwhal.lance.proto.encodings21.PageLayout;
import dev.narwhal.lance.proto.encodings21.RepDefLayer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code PageLayout} messages to records and back. Source: file format sheet 3.1, 9. */
public final class LayoutCodec {
  /** Encodings nest; the deepest real one needs about 12 levels of messages. */
  private static final int MAX_MESSAGE_DEPTH = 40;

  private static final int MAX_CONTROL_BITS = 32;

  private LayoutCodec() {}

  static Layout decode(ByteString bytes) {
    PageLayout message;
    try {
      CodedInputStream in = bytes.newCodedInput();
      in.setRecursionLimit(MAX_MESSAGE_DEPTH);
      message = PageLayout.parseFrom(in);
    } catch (IOException e) {
      throw new LanceFormatException("page layout is no valid message: " + e.getMessage(), e);
    }
    return decode(message);
  }

  private static Layout decode(PageLayout message) {
    return switch (message.getLayoutCase()) {
      case MINI_BLOCK_LAYOUT -> miniBlock(message.getMiniBlockLayout());
      case CONSTANT_LAYOUT -> constant(message.getConstantLayout());
      case FULL_ZIP_LAYOUT -> fullZip(message.getFullZipLayout());
      case BLOB_LAYOUT -> blob(message.getBlobLayout());
      case SPARSE_LAYOUT -> new Layout.Unsupported("sparse", "newer than Lance 7.0.0");
      case LAYOUT_NOT_SET -> throw new LanceFormatException("page layout is of no known kind");
    };
  }

  private static Layout miniBlock(MiniBlockLayout message) {
    long dictionaryItems = message.getNumDictionaryItems();
    if (dictionaryItems < 0 || dictionaryItems > Integer.MAX_VALUE - 1) {
      throw new LanceFormatException(
          "dictionary of " + Long.toUnsignedString(dictionaryItems) + " items");
    }
    return new Layout.MiniBlock(
        encoding(message.hasRepCompression(), message.getRepCompression()),
        encoding(message.hasDefCompression(), message.getDefCompression()),
        EncodingCodec.decode(message.getValueCompression()),
        encoding(message.hasDictionary(), message.getDictionary()),
        (int) dictionaryItems,
        layers(message.getLayersList()),
        message.getNumBuffers(),
        message.getRepetitionIndexDepth(),
        message.getNumItems(),
        message.getHasLargeChunk());
  }

  private static Layout constant(ConstantLayout message) {
    return new Layout.Constant(
        layers(message.getLayersList()),
        message.hasInlineValue() ? Optional.of(message.getInlineValue()) : Optional.empty(),
        encoding(message.hasRepCompression(), message.getRepCompression()),
        encoding(message.hasDefCompression(), message.getDefCompression()),
        message.getNumRepValues(),
        message.getNumDefValues());
  }

  private static Layout fullZip(FullZipLayout message) {
    long bits =
        Integer.toUnsignedLong(message.getBitsRep()) + Integer.toUnsignedLong(message.getBitsDef());
    if (bits > MAX_CONTROL_BITS) {
      throw new LanceFormatException(
          "control words of " + bits + " bits, expected at most " + MAX_CONTROL_BITS);
    }
    OptionalInt bitsPerValue = OptionalInt.empty();
    OptionalInt bitsPerOffset = OptionalInt.empty();
    switch (message.getDetailsCase()) {
      case BITS_PER_VALUE -> bitsPerValue = OptionalInt.of(valueBits(message.getBitsPerValue()));
      case BITS_PER_OFFSET ->
          bitsPerOffset = OptionalInt.of(lengthBits(message.getBitsPerOffset()));
      case DETAILS_NOT_SET ->
          throw new LanceFormatException("full-zip page has neither value nor offset bits");
    }
    return new Layout.FullZip(
        message.getBitsRep(),
        message.getBitsDef(),
        bitsPerValue,
        bitsPerOffset,
        Integer.toUnsignedLong(message.getNumItems()),
        Integer.toUnsignedLong(message.getNumVisibleItems()),
        EncodingCodec.decode(message.getValueCompression()),
        layers(message.getLayersList()));
  }

  private static Layout blob(BlobLayout message) {
    Layout descriptors = decode(message.getInnerLayout());
    if (descriptors instanceof Layout.Blob) {
      throw new LanceFormatException("a blob layout inside a blob layout");
    }
    return new Layout.Blob(descriptors, layers(message.getLayersList()));
  }

  private static int valueBits(int bits) {
    if (bits < 0 || bits % 8 != 0) {
      throw new LanceFormatException(
          "full-zip values of " + Integer.toUnsignedString(bits) + " bits, expected whole bytes");
    }
    return bits;
  }

  private static int lengthBits(int bits) {
    if (bits != 32 && bits != 64) {
      throw new LanceFormatException(
          "full-zip lengths of " + Integer.toUnsignedString(bits) + " bits, expected 32 or 64");
    }
    return bits;
  }

  private static Optional<Encoding> encoding(boolean present, CompressiveEncoding message) {
    return present ? Optional.of(EncodingCodec.decode(message)) : Optional.empty();
  }

  private static List<Layer> layers(List<RepDefLayer> messages) {
    List<Layer> layers = new ArrayList<>(messages.size());
    for (RepDefLayer message : messages) {
      layers.add(
          switch (message) {
            case REPDEF_ALL_VALID_ITEM -> Layer.ALL_VALID_ITEM;
            case REPDEF_ALL_VALID_LIST -> Layer.ALL_VALID_LIST;
            case REPDEF_NULLABLE_ITEM -> Layer.NULLABLE_ITEM;
            case REPDEF_NULLABLE_LIST -> Layer.NULLABLE_LIST;
            case REPDEF_EMPTYABLE_LIST -> Layer.EMPTYABLE_LIST;
            case REPDEF_NULL_AND_EMPTY_LIST -> Layer.NULL_AND_EMPTY_LIST;
            case REPDEF_UNSPECIFIED, UNRECOGNIZED ->
                throw new LanceFormatException("layer " + message + ", expected 1 to 6");
          });
    }
    return layers;
  }

  /** The message of a page that is written. */
  public static ByteString encode(Layout layout) {
    return message(layout).toByteString();
  }

  private static PageLayout message(Layout layout) {
    PageLayout.Builder message = PageLayout.newBuilder();
    if (layout instanceof Layout.MiniBlock miniBlock) {
      message.setMiniBlockLayout(encode(miniBlock));
    } else if (layout instanceof Layout.FullZip fullZip) {
      message.setFullZipLayout(encode(fullZip));
    } else if (layout instanceof Layout.Constant constant) {
      message.setConstantLayout(encode(constant));
    } else if (layout instanceof Layout.Blob blob) {
      message.setBlobLayout(
          BlobLayout.newBuilder()
              .setInnerLayout(message(blob.descriptors()))
              .addAllLayers(encode(blob.layers())));
    } else {
      throw new IllegalArgumentException("not for writing: " + layout.name());
    }
    return message.build();
  }

  private static MiniBlockLayout encode(Layout.MiniBlock layout) {
    MiniBlockLayout.Builder message =
        MiniBlockLayout.newBuilder()
            .setValueCompression(EncodingCodec.encode(layout.values()))
            .setNumDictionaryItems(layout.dictionaryItems())
            .addAllLayers(encode(layout.layers()))
            .setNumBuffers(layout.valueBuffers())
            .setRepetitionIndexDepth(layout.repetitionIndexDepth())
            .setNumItems(layout.items())
            .setHasLargeChunk(layout.largeChunks());
    layout.repetition().ifPresent(e -> message.setRepCompression(EncodingCodec.encode(e)));
    layout.definition().ifPresent(e -> message.setDefCompression(EncodingCodec.encode(e)));
    layout.dictionary().ifPresent(e -> message.setDictionary(EncodingCodec.encode(e)));
    return message.build();
  }

  private static FullZipLayout encode(Layout.FullZip layout) {
    FullZipLayout.Builder message =
        FullZipLayout.newBuilder()
            .setBitsRep(layout.repetitionBits())
            .setBitsDef(layout.definitionBits())
            .setNumItems((int) layout.items())
            .setNumVisibleItems((int) layout.visibleItems())
            .setValueCompression(EncodingCodec.encode(layout.values()))
            .addAllLayers(encode(layout.layers()));
    layout.bitsPerValue().ifPresent(message::setBitsPerValue);
    layout.bitsPerOffset().ifPresent(message::setBitsPerOffset);
    return message.build();
  }

  private static ConstantLayout encode(Layout.Constant layout) {
    ConstantLayout.Builder message =
        ConstantLayout.newBuilder()
            .addAllLayers(encode(layout.layers()))
            .setNumRepValues(layout.repetitionLevels())
            .setNumDefValues(layout.definitionLevels());
    layout.inlineValue().ifPresent(message::setInlineValue);
    layout.repetition().ifPresent(e -> message.setRepCompression(EncodingCodec.encode(e)));
    layout.definition().ifPresent(e -> message.setDefCompression(EncodingCodec.encode(e)));
    return message.build();
  }

  private static List<RepDefLayer> encode(List<Layer> layers) {
    List<RepDefLayer> messages = new ArrayList<>(layers.size());
    for (Layer layer : layers) {
      messages.add(
          switch (layer) {
            case ALL_VALID_ITEM -> RepDefLayer.REPDEF_ALL_VALID_ITEM;
            case ALL_VALID_LIST -> RepDefLayer.REPDEF_ALL_VALID_LIST;
            case NULLABLE_ITEM -> RepDefLayer.REPDEF_NULLABLE_ITEM;
            case NULLABLE_LIST -> RepDefLayer.REPDEF_NULLABLE_LIST;
            case EMPTYABLE_LIST -> RepDefLayer.REPDEF_EMPTYABLE_LIST;
            case NULL_AND_EMPTY_LIST -> RepDefLayer.REPDEF_NULL_AND_EMPTY_LIST;
          });
    }
    return messages;
  }
}
