package dev.narwhal.lance.datafile.array;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import dev.narwhal.lance.datafile.page.AllNullPage;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.encodings20.ArrayEncoding;
import java.io.IOException;
import java.util.Locale;

/** Makes decoders of 2.0 pages. */
public final class ArrayPages {
  private static final int MAX_MESSAGE_DEPTH = 40;

  private ArrayPages() {}

  /**
   * A decoder for a page whose {@code encoding} is a serialised {@code ArrayEncoding}.
   *
   * @throws UnsupportedFeatureException naming field, logical type and encoding
   */
  public static PageDecoder open(PageSource page) throws IOException {
    ArrayEncoding encoding = parse(page.encoding());
    if (encoding.getNullable().hasAllNulls()) {
      return new AllNullPage();
    }
    throw new UnsupportedFeatureException(
        page.field().logicalType()
            + " encoded as "
            + describe(page.encoding())
            + " is not supported yet");
  }

  /** What the page message says, in a few words. */
  public static String describe(ByteString encoding) {
    return parse(encoding).getArrayEncodingCase().name().toLowerCase(Locale.ROOT);
  }

  private static ArrayEncoding parse(ByteString encoding) {
    try {
      CodedInputStream in = encoding.newCodedInput();
      in.setRecursionLimit(MAX_MESSAGE_DEPTH);
      return ArrayEncoding.parseFrom(in);
    } catch (IOException e) {
      throw new LanceFormatException("array encoding is no valid message: " + e.getMessage(), e);
    }
  }
}
