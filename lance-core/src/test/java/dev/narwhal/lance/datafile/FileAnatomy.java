package dev.narwhal.lance.datafile;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.narwhal.lance.proto.container.ColumnMetadata;
import dev.narwhal.lance.proto.container.DirectEncoding;
import dev.narwhal.lance.proto.container.Encoding;
import dev.narwhal.lance.proto.encodings20.ArrayEncoding;
import dev.narwhal.lance.proto.encodings20.ColumnEncoding;
import dev.narwhal.lance.proto.encodings21.PageLayout;
import dev.narwhal.lance.proto.file.FileDescriptor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A data file taken apart into messages and buffers, which may be altered one by one, and put
 * together again. What is not altered keeps its position.
 */
final class FileAnatomy {
  private static final int FOOTER_BYTES = 40;
  private static final int ALIGNMENT_BYTES = 64;

  private final short major;
  private final short minor;

  /** Everything before the schema; buffers that change size are added at the end. */
  private byte[] data;

  /** Positions and sizes of the global buffers but the first, which is the schema. */
  private final long[] otherGlobals;

  FileDescriptor.Builder schema;
  final List<Column> columns;

  /** A column with its encodings, which are messages inside of bytes inside of messages. */
  static final class Column {
    ColumnMetadata.Builder metadata;
    Message.Builder encoding;
    final List<Message.Builder> pages;

    private Column(
        ColumnMetadata.Builder metadata, Message.Builder encoding, List<Message.Builder> pages) {
      this.metadata = metadata;
      this.encoding = encoding;
      this.pages = pages;
    }
  }

  private FileAnatomy(
      short major,
      short minor,
      byte[] data,
      long[] otherGlobals,
      FileDescriptor.Builder schema,
      List<Column> columns) {
    this.major = major;
    this.minor = minor;
    this.data = data;
    this.otherGlobals = otherGlobals;
    this.schema = schema;
    this.columns = columns;
  }

  /** Takes a good file apart. */
  static FileAnatomy of(byte[] file) {
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int footer = file.length - FOOTER_BYTES;
    int columnTable = (int) in.getLong(footer + 8);
    int globalTable = (int) in.getLong(footer + 16);
    long[] globals = longs(in, globalTable, 2 * in.getInt(footer + 24));
    long[] entries = longs(in, columnTable, 2 * in.getInt(footer + 28));
    try {
      List<Column> columns = new ArrayList<>();
      for (int i = 0; i < entries.length; i += 2) {
        columns.add(column(bytes(file, entries[i], entries[i + 1])));
      }
      return new FileAnatomy(
          in.getShort(footer + 32),
          in.getShort(footer + 34),
          Arrays.copyOf(file, (int) globals[0]),
          Arrays.copyOfRange(globals, 2, globals.length),
          FileDescriptor.parseFrom(bytes(file, globals[0], globals[1])).toBuilder(),
          columns);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("not a good file", e);
    }
  }

  private static Column column(ByteString bytes) throws InvalidProtocolBufferException {
    ColumnMetadata.Builder metadata = ColumnMetadata.parseFrom(bytes).toBuilder();
    List<Message.Builder> pages = new ArrayList<>();
    for (ColumnMetadata.Page page : metadata.getPagesList()) {
      pages.add(unpack(page.getEncoding()));
    }
    return new Column(metadata, unpack(metadata.getEncoding()), pages);
  }

  private static Message.Builder unpack(Encoding encoding) throws InvalidProtocolBufferException {
    Any any = Any.parseFrom(encoding.getDirect().getEncoding());
    return switch (any.getTypeUrl()) {
      case "/lance.encodings.ColumnEncoding" ->
          ColumnEncoding.parseFrom(any.getValue()).toBuilder();
      case "/lance.encodings.ArrayEncoding" -> ArrayEncoding.parseFrom(any.getValue()).toBuilder();
      case "/lance.encodings21.PageLayout" -> PageLayout.parseFrom(any.getValue()).toBuilder();
      default -> throw new IllegalArgumentException("encoding of type " + any.getTypeUrl());
    };
  }

  private static Encoding pack(Message message) {
    Any any =
        Any.newBuilder()
            .setTypeUrl("/" + message.getDescriptorForType().getFullName())
            .setValue(message.toByteString())
            .build();
    return Encoding.newBuilder()
        .setDirect(DirectEncoding.newBuilder().setEncoding(any.toByteString()))
        .build();
  }

  /** The bytes before the schema; to be altered in place. */
  byte[] data() {
    return data;
  }

  /** Adds bytes behind the data, aligned as buffers must be, and gives their position. */
  long append(byte[] bytes) {
    int position = (data.length + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    data = Arrays.copyOf(data, position + bytes.length);
    System.arraycopy(bytes, 0, data, position, bytes.length);
    return position;
  }

  /** The whole file. */
  byte[] encode() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(data);
    while (out.size() % ALIGNMENT_BYTES != 0) {
      out.write(0);
    }
    long schemaPosition = out.size();
    byte[] schemaBytes = schema.build().toByteArray();
    out.writeBytes(schemaBytes);
    long metadataPosition = out.size();
    ByteBuffer columnTable = littleEndian(16 * columns.size());
    for (Column column : columns) {
      byte[] bytes = metadata(column).toByteArray();
      columnTable.putLong(out.size()).putLong(bytes.length);
      out.writeBytes(bytes);
    }
    ByteBuffer globalTable = littleEndian(16 + 8 * otherGlobals.length);
    globalTable.putLong(schemaPosition).putLong(schemaBytes.length);
    for (long other : otherGlobals) {
      globalTable.putLong(other);
    }
    long columnTablePosition = out.size();
    out.writeBytes(bytes(columnTable));
    long globalTablePosition = out.size();
    out.writeBytes(bytes(globalTable));
    ByteBuffer footer = littleEndian(FOOTER_BYTES);
    footer.putLong(metadataPosition).putLong(columnTablePosition).putLong(globalTablePosition);
    footer.putInt(1 + otherGlobals.length / 2).putInt(columns.size());
    footer.putShort(major).putShort(minor).putInt(0x434E_414C);
    out.writeBytes(bytes(footer));
    return out.toByteArray();
  }

  private static ColumnMetadata metadata(Column column) {
    ColumnMetadata.Builder metadata = column.metadata.clone();
    metadata.setEncoding(pack(column.encoding.build()));
    for (int i = 0; i < Math.min(metadata.getPagesCount(), column.pages.size()); i++) {
      metadata.getPagesBuilder(i).setEncoding(pack(column.pages.get(i).build()));
    }
    return metadata.build();
  }

  private static ByteBuffer littleEndian(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] bytes(ByteBuffer whole) {
    byte[] bytes = new byte[whole.capacity()];
    whole.clear().get(bytes);
    return bytes;
  }

  private static long[] longs(ByteBuffer in, int position, int count) {
    long[] longs = new long[count];
    in.slice(position, 8 * count).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(longs);
    return longs;
  }

  private static ByteString bytes(byte[] file, long position, long size) {
    return ByteString.copyFrom(file, (int) position, (int) size);
  }
}
