package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.blob.BlobFiles;
import dev.narwhal.lance.datafile.blob.BlobReader;
import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.storage.ObjectReader;
import dev.narwhal.lance.storage.SharedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** The metadata end of an open file: one read gets most of it, ranges before it are read apart. */
final class FileTail implements Closeable {
  private static final int READ_BYTES = 16 << 10;

  private final ObjectReader reader;
  private final long start;
  private final ByteBuffer bytes;
  private final Footer footer;
  private final ContainerCodec codec;
  private final List<ByteRange> columns;
  private final List<ByteRange> globals;

  private FileTail(ObjectReader reader, long start, ByteBuffer bytes) throws IOException {
    this.reader = reader;
    this.start = start;
    this.bytes = bytes;
    long end = reader.sizeBytes() - Footer.SIZE_BYTES;
    this.footer = Footer.decode(slice(end, Footer.SIZE_BYTES), reader.sizeBytes());
    this.codec = new ContainerCodec(footer.version(), end);
    this.columns = codec.table(read(footer.columnTable()));
    this.globals = codec.table(read(footer.globalTable()));
  }

  static FileTail read(ObjectReader reader) throws IOException {
    long size = reader.sizeBytes();
    if (size < Footer.SIZE_BYTES) {
      throw new LanceFormatException(
          "file of " + size + " bytes, expected at least the footer's " + Footer.SIZE_BYTES);
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(size, READ_BYTES));
    reader.readFully(size - bytes.capacity(), bytes);
    return new FileTail(reader, size - bytes.capacity(), bytes.flip());
  }

  String path() {
    return reader.path();
  }

  long fileBytes() {
    return reader.sizeBytes();
  }

  FileVersion version() {
    return footer.version();
  }

  int columnCount() {
    return footer.columns();
  }

  /** Global buffer 0. */
  ByteBuffer schema() throws IOException {
    return read(globals.get(0));
  }

  ColumnMetadata column(int index) throws IOException {
    ByteRange range = columns.get(index);
    if (range.position() < footer.columnMetadataStart()
        || range.end() > footer.columnTable().position()) {
      throw new LanceFormatException(
          "metadata at "
              + range
              + ", expected between "
              + footer.columnMetadataStart()
              + " and "
              + footer.columnTable().position());
    }
    return codec.column(read(range));
  }

  PageBuffers buffers(List<ByteRange> ranges) {
    return new PageBuffers(reader, ranges);
  }

  /** Reads blobs in the file, and beside it. */
  BlobReader blobs(BlobFiles others) {
    return new BlobReader(reader, others);
  }

  /** One more user of a file that was opened from a store. */
  void lease() {
    if (!(reader instanceof SharedReader shared)) {
      throw new IllegalStateException(path() + " was opened for one user only");
    }
    shared.lease();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private ByteBuffer read(ByteRange range) throws IOException {
    if (range.sizeBytes() > Integer.MAX_VALUE - 8) {
      throw new LanceFormatException("metadata of " + range.sizeBytes() + " bytes");
    }
    int size = (int) range.sizeBytes();
    if (range.position() >= start) {
      return slice(range.position(), size);
    }
    ByteBuffer target = ByteBuffer.allocate(size);
    reader.readFully(range.position(), target);
    return target.flip().order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer slice(long position, int size) {
    return bytes.slice((int) (position - start), size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
