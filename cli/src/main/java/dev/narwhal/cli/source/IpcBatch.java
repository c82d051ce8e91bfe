package dev.narwhal.cli.source;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BufferLayout;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Looks at a record batch before it becomes vectors, which believe its lengths and offsets: every
 * field has as many values as its parent says, offsets ascend and end within what they point into,
 * and no buffer is shorter than its values. Source: Arrow columnar format, "Physical Memory Layout"
 * and "RecordBatch message".
 */
final class IpcBatch {
  private final Iterator<ArrowFieldNode> nodes;
  private final Iterator<ArrowBuf> buffers;

  private IpcBatch(ArrowRecordBatch batch) {
    this.nodes = batch.getNodes().iterator();
    this.buffers = batch.getBuffers().iterator();
  }

  /**
   * The same batch, not compressed.
   *
   * @param batch stays the caller's
   * @return the caller's to close
   * @throws IllegalArgumentException when it breaks the format
   */
  static ArrowRecordBatch plain(
      ArrowRecordBatch batch, List<Field> fields, BufferAllocator allocator) {
    CodecType type = CodecType.fromCompressionType(batch.getBodyCompression().getCodec());
    CompressionCodec codec = new IpcCompression().createCodec(type);
    List<ArrowBuf> buffers = new ArrayList<>();
    try {
      for (ArrowBuf buffer : batch.getBuffers()) {
        buffers.add(decompressed(buffer, codec, allocator));
      }
      ArrowRecordBatch plain =
          new ArrowRecordBatch(
              batch.getLength(),
              batch.getNodes(),
              buffers,
              NoCompressionCodec.DEFAULT_BODY_COMPRESSION,
              batch.getVariadicBufferCounts(),
              false);
      try {
        new IpcBatch(plain).require(batch.getLength(), fields);
        return plain;
      } catch (RuntimeException e) {
        plain.close();
        throw e;
      }
    } finally {
      buffers.forEach(ArrowBuf::close);
    }
  }

  private static ArrowBuf decompressed(
      ArrowBuf buffer, CompressionCodec codec, BufferAllocator allocator) {
    buffer.getReferenceManager().retain(); // the codec releases it when it succeeds
    if (buffer.writerIndex() == 0) {
      return buffer; // such as the validity of values of which none is null; not compressed
    }
    try {
      return codec.decompress(allocator, buffer);
    } catch (RuntimeException e) {
      buffer.getReferenceManager().release();
      throw e;
    }
  }

  private void require(int rows, List<Field> fields) {
    for (Field field : fields) {
      exactly(rows, field, field.getName());
    }
    if (nodes.hasNext() || buffers.hasNext()) {
      throw new IllegalArgumentException("the batch has more buffers than its columns");
    }
  }

  private void exactly(long values, Field field, String path) {
    long found = field(field, path);
    if (found != values) {
      throw wrong(path, found + " values, expected " + values);
    }
  }

  private void atLeast(long values, Field field, String path) {
    long found = field(field, path);
    if (found < values) {
      throw wrong(path, found + " values, but there are offsets to " + values);
    }
  }

  /** Looks at a field and all below; returns how many values it has. */
  private long field(Field field, String path) {
    if (!nodes.hasNext()) {
      throw wrong(path, "missing from the batch");
    }
    ArrowFieldNode node = nodes.next();
    long values = node.getLength();
    if (values < 0 || node.getNullCount() < 0 || node.getNullCount() > values) {
      throw wrong(path, values + " values of which " + node.getNullCount() + " are null");
    }
    TypeLayout layout = TypeLayout.getTypeLayout(field.getType());
    if (!layout.isFixedBufferCount()) {
      throw wrong(path, "of type " + field.getType() + ", which cannot be read");
    }
    long end = 0;
    for (BufferLayout one : layout.getBufferLayouts()) {
      if (!buffers.hasNext()) {
        throw wrong(path, "without its buffers");
      }
      ArrowBuf buffer = buffers.next();
      switch (one.getType()) {
        case VALIDITY -> {
          if (node.getNullCount() > 0 && node.getNullCount() < values) {
            requireBytes(path, buffer, (values + 7) / 8);
          }
        }
        case OFFSET -> end = lastOffset(path, buffer, values, one.getTypeBitWidth() / 8);
        default -> requireBytes(path, buffer, isVariable(layout) ? end : bytes(field, one, values));
      }
    }
    children(field, path, values, end);
    return values;
  }

  private void children(Field field, String path, long values, long end) {
    for (Field child : field.getChildren()) {
      String below = path + '.' + child.getName();
      switch (field.getType().getTypeID()) {
        case Struct -> exactly(values, child, below);
        case FixedSizeList ->
            exactly(
                values * ((ArrowType.FixedSizeList) field.getType()).getListSize(), child, below);
        case List, LargeList, Map -> atLeast(end, child, below);
        default -> throw wrong(path, "of type " + field.getType() + ", which cannot be read");
      }
    }
  }

  private static boolean isVariable(TypeLayout layout) {
    return layout.getBufferTypes().contains(BufferLayout.BufferType.OFFSET);
  }

  private static long bytes(Field field, BufferLayout layout, long values) {
    return field.getType() instanceof ArrowType.FixedSizeBinary fixed
        ? values * fixed.getByteWidth()
        : (values * layout.getTypeBitWidth() + 7) / 8;
  }

  private static long lastOffset(String path, ArrowBuf buffer, long values, int width) {
    if (values == 0 && buffer.writerIndex() == 0) {
      return 0;
    }
    requireBytes(path, buffer, (values + 1) * width);
    long last = 0;
    for (long i = 0; i <= values; i++) {
      long offset = width == 4 ? buffer.getInt(i * 4) : buffer.getLong(i * 8);
      if (offset < last) {
        throw wrong(path, "offset " + offset + " behind " + last);
      }
      last = offset;
    }
    return last;
  }

  private static void requireBytes(String path, ArrowBuf buffer, long bytes) {
    if (buffer.writerIndex() < bytes) {
      throw wrong(path, "a buffer of " + buffer.writerIndex() + " bytes, expected " + bytes);
    }
  }

  private static IllegalArgumentException wrong(String path, String message) {
    return new IllegalArgumentException("column '" + path + "': " + message);
  }
}
