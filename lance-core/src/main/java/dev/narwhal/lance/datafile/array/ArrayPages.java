package dev.narwhal.lance.datafile.array;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.array.PickingDecoders.Nulls;
import dev.narwhal.lance.datafile.page.AllNullPage;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;

/** Makes decoders of 2.0 pages. */
public final class ArrayPages {
  private ArrayPages() {}

  /**
   * A decoder for a page whose {@code encoding} is a serialised {@code ArrayEncoding}.
   *
   * @throws UnsupportedFeatureException naming field, logical type and encoding
   */
  public static PageDecoder open(PageSource page) throws IOException {
    ArrayNode node = ArrayNodeCodec.decode(page.encoding());
    if (node instanceof ArrayNode.AllNulls) {
      return new AllNullPage();
    }
    try {
      Nulls nulls = page.field().isDictionary() ? Nulls.AMONG_ITEMS : Nulls.AT_INDEX_0;
      ArrayDecoders decoders = ArrayDecoders.of(page.buffers(), nulls);
      return new ArrayPage(decoders.root(node, page.shape(), page.rows()));
    } catch (UnsupportedFeatureException e) {
      throw e.in(
          "field '"
              + page.field().name()
              + "' of type "
              + page.field().logicalType()
              + ", "
              + node.describe());
    }
  }

  /**
   * Checks a page of a struct column, which has rows but no bytes: its values are in the columns of
   * its children, and its nulls are not stored. Source: file format sheet 2.6.
   */
  public static void requireStruct(ByteString encoding) {
    ArrayNode node = ArrayNodeCodec.decode(encoding);
    if (!(node instanceof ArrayNode.StructHeader)) {
      throw new LanceFormatException("page of structs encoded as " + node.describe());
    }
  }

  /** Encodings in a page message: {@code nullable(flat 32)}. */
  public static String describe(ByteString encoding) {
    return ArrayNodeCodec.decode(encoding).describe();
  }
}
