package dev.narwhal.lance.datafile;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Empty;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.narwhal.lance.datafile.ColumnMetadata.Kind;
import dev.narwhal.lance.datafile.ColumnMetadata.Page;
import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.container.DirectEncoding;
import dev.narwhal.lance.proto.container.Encoding;
import dev.narwhal.lance.proto.encodings20.Blob;
import dev.narwhal.lance.proto.encodings20.ColumnEncoding;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Messages and tables of the container. Source: file format sheet 1.4, 1.6, 1.7. */
final class ContainerCodec {
  /** Encodings nest; the deepest real one needs about 12 levels of messages. */
  private static final int MAX_MESSAGE_DEPTH = 40;

  static final int ALIGNMENT_BYTES = 64;

  private final FileVersion version;
  private final long end;

  /**
   * @param end where the footer starts: the bytes of buffers lie before
   */
  ContainerCodec(FileVersion version, long end) {
    this.version = version;
    this.end = end;
  }

  /** The entries of a CMO or GBO table, each checked to lie before the footer. */
  List<ByteRange> table(ByteBuffer bytes) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    List<ByteRange> entries = new ArrayList<>(in.remaining() / Footer.TABLE_ENTRY_BYTES);
    while (in.hasRemaining()) {
      entries.add(range(in.getLong(), in.getLong()));
    }
    return List.copyOf(entries);
  }

  ColumnMetadata column(ByteBuffer bytes) {
    dev.narwhal.lance.proto.container.ColumnMetadata message;
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      in.setRecursionLimit(MAX_MESSAGE_DEPTH);
      message = dev.narwhal.lance.proto.container.ColumnMetadata.parseFrom(in);
    } catch (IOException e) {
      throw new LanceFormatException("column metadata is no valid message: " + e.getMessage(), e);
    }
    List<Page> pages = new ArrayList<>(message.getPagesCount());
    long priority = 0;
    for (var page : message.getPagesList()) {
      try {
        pages.add(page(page, priority));
      } catch (LanceFormatException e) {
        throw e.in("page " + pages.size());
      }
      priority = page.getPriority();
    }
    return new ColumnMetadata(
        kind(typed(message.getEncoding(), "ColumnEncoding")),
        pages,
        ranges(message.getBufferOffsetsList(), message.getBufferSizesList()));
  }

  static byte[] encode(FileVersion version, ColumnMetadata column) {
    var message =
        dev.narwhal.lance.proto.container.ColumnMetadata.newBuilder()
            .setEncoding(direct("/lance.encodings.ColumnEncoding", encode(column.kind())));
    String type =
        version.hasArrayPages()
            ? "/lance.encodings.ArrayEncoding"
            : "/lance.encodings21.PageLayout";
    for (Page page : column.pages()) {
      var encoded =
          dev.narwhal.lance.proto.container.ColumnMetadata.Page.newBuilder()
              .setLength(page.rows())
              .setPriority(page.priority())
              .setEncoding(direct(type, page.encoding()));
      for (ByteRange buffer : page.buffers()) {
        encoded.addBufferOffsets(buffer.position()).addBufferSizes(buffer.sizeBytes());
      }
      message.addPages(encoded);
    }
    for (ByteRange buffer : column.buffers()) {
      message.addBufferOffsets(buffer.position()).addBufferSizes(buffer.sizeBytes());
    }
    return message.build().toByteArray();
  }

  /** A CMO or GBO table. */
  static ByteBuffer encodeTable(List<ByteRange> entries) {
    ByteBuffer out =
        ByteBuffer.allocate(Math.multiplyExact(entries.size(), Footer.TABLE_ENTRY_BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (ByteRange entry : entries) {
      out.putLong(entry.position()).putLong(entry.sizeBytes());
    }
    return out.flip();
  }

  private static Encoding direct(String typeUrl, ByteString message) {
    Any any = Any.newBuilder().setTypeUrl(typeUrl).setValue(message).build();
    return Encoding.newBuilder()
        .setDirect(DirectEncoding.newBuilder().setEncoding(any.toByteString()))
        .build();
  }

  private static ByteString encode(Kind kind) {
    ColumnEncoding values =
        ColumnEncoding.newBuilder().setValues(Empty.getDefaultInstance()).build();
    return switch (kind) {
      case VALUES -> values.toByteString();
      case BLOB ->
          ColumnEncoding.newBuilder()
              .setBlob(Blob.newBuilder().setInner(values))
              .build()
              .toByteString();
    };
  }

  private Page page(
      dev.narwhal.lance.proto.container.ColumnMetadata.Page page, long lowestPriority) {
    if (page.getLength() < 0) {
      throw new LanceFormatException("length " + Long.toUnsignedString(page.getLength()));
    }
    if (page.getPriority() < lowestPriority) {
      throw new LanceFormatException(
          "first row "
              + Long.toUnsignedString(page.getPriority())
              + " is below that of the page before, "
              + lowestPriority);
    }
    String type = version.hasArrayPages() ? "ArrayEncoding" : "PageLayout";
    List<ByteRange> buffers = ranges(page.getBufferOffsetsList(), page.getBufferSizesList());
    if (!version.hasArrayPages()) {
      buffers.forEach(ContainerCodec::checkAligned);
    }
    return new Page(page.getLength(), page.getPriority(), buffers, typed(page.getEncoding(), type));
  }

  /** The bytes of a message that must have the given type; only the text after the slash counts. */
  private static ByteString typed(Encoding encoding, String type) {
    if (encoding.getLocationCase() != Encoding.LocationCase.DIRECT) {
      throw new UnsupportedFeatureException(
          "encoding stored as " + encoding.getLocationCase() + ", expected it inline (DIRECT)");
    }
    Any any;
    try {
      any = Any.parseFrom(encoding.getDirect().getEncoding());
    } catch (InvalidProtocolBufferException e) {
      throw new LanceFormatException("encoding is no valid message: " + e.getMessage(), e);
    }
    String url = any.getTypeUrl();
    String found = url.substring(url.lastIndexOf('/') + 1);
    boolean matches =
        switch (type) {
          case "PageLayout" -> found.equals("lance.encodings21.PageLayout");
          default -> found.equals("lance.encodings." + type);
        };
    if (!matches) {
      throw new LanceFormatException("encoding of type '" + url + "', expected " + type);
    }
    return any.getValue();
  }

  private static Kind kind(ByteString bytes) {
    ColumnEncoding encoding;
    try {
      CodedInputStream in = bytes.newCodedInput();
      in.setRecursionLimit(MAX_MESSAGE_DEPTH);
      encoding = ColumnEncoding.parseFrom(in);
    } catch (IOException e) {
      throw new LanceFormatException("column encoding is no valid message: " + e.getMessage(), e);
    }
    while (encoding.hasZoneIndex()) {
      encoding = encoding.getZoneIndex().getInner();
    }
    return switch (encoding.getColumnEncodingCase()) {
      case VALUES -> Kind.VALUES;
      case BLOB -> Kind.BLOB;
      case ZONE_INDEX, COLUMNENCODING_NOT_SET ->
          throw new LanceFormatException("column encoding is neither values nor blob");
    };
  }

  private List<ByteRange> ranges(List<Long> offsets, List<Long> sizes) {
    if (offsets.size() != sizes.size()) {
      throw new LanceFormatException(
          offsets.size() + " buffer offsets but " + sizes.size() + " buffer sizes");
    }
    List<ByteRange> ranges = new ArrayList<>(offsets.size());
    for (int i = 0; i < offsets.size(); i++) {
      ranges.add(range(offsets.get(i), sizes.get(i)));
    }
    return ranges;
  }

  private ByteRange range(long position, long sizeBytes) {
    if (position < 0 || sizeBytes < 0 || sizeBytes > end || position > end - sizeBytes) {
      throw new LanceFormatException(
          Long.toUnsignedString(sizeBytes)
              + " bytes at "
              + Long.toUnsignedString(position)
              + " exceed the "
              + end
              + " bytes before the footer");
    }
    return new ByteRange(position, sizeBytes);
  }

  /** Real Lance refuses buffers elsewhere from 2.1 on. */
  private static void checkAligned(ByteRange buffer) {
    if (buffer.position() % ALIGNMENT_BYTES != 0) {
      throw new LanceFormatException(
          "page buffer at " + buffer.position() + ", expected a multiple of " + ALIGNMENT_BYTES);
    }
  }
}
