package dev.narwhal.lance.datafile.layout;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import dev.narwhal.lance.datafile.page.AllNullPage;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.encodings21.PageLayout;
import java.io.IOException;
import java.util.Locale;

/** Makes decoders of pages from 2.1 on. */
public final class LayoutPages {
  private static final int MAX_MESSAGE_DEPTH = 40;

  private LayoutPages() {}

  /**
   * A decoder for a page whose {@code encoding} is a serialised {@code PageLayout}.
   *
   * @throws UnsupportedFeatureException naming field, logical type and layout
   */
  public static PageDecoder open(PageSource page) throws IOException {
    PageLayout layout = parse(page.encoding());
    if (layout.hasConstantLayout()
        && !layout.getConstantLayout().hasInlineValue()
        && page.buffers().count() == 0) {
      return new AllNullPage();
    }
    throw new UnsupportedFeatureException(
        page.field().logicalType()
            + " laid out as "
            + describe(page.encoding())
            + " is not supported yet");
  }

  /** What the page message says, in a few words. */
  public static String describe(ByteString encoding) {
    return parse(encoding).getLayoutCase().name().toLowerCase(Locale.ROOT);
  }

  private static PageLayout parse(ByteString encoding) {
    try {
      CodedInputStream in = encoding.newCodedInput();
      in.setRecursionLimit(MAX_MESSAGE_DEPTH);
      return PageLayout.parseFrom(in);
    } catch (IOException e) {
      throw new LanceFormatException("page layout is no valid message: " + e.getMessage(), e);
    }
  }
}
