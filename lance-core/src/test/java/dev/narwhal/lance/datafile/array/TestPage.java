package dev.narwhal.lance.datafile.array;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.ObjectReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A page made by hand.
 *
 * @param type logical type of the column
 * @param encoding serialised {@code ArrayEncoding}
 * @param expected each row as text
 */
record TestPage(
    String name, String type, ByteString encoding, List<byte[]> buffers, List<String> expected) {

  TestPage with(ByteString otherEncoding, List<byte[]> otherBuffers) {
    return new TestPage(name, type, otherEncoding, otherBuffers, expected);
  }

  PageDecoder open(CountingReader reader) throws IOException {
    return ArrayPages.open(
        new PageSource(
            field(),
            ValueShape.of(arrowField()),
            expected.size(),
            new PageBuffers(reader, reader.ranges),
            encoding));
  }

  CountingReader reader() {
    return new CountingReader(buffers);
  }

  List<String> read(PageDecoder page, int first, int count, BufferAllocator allocator)
      throws IOException {
    try (VectorBuilder out = VectorBuilder.of(ValueShape.of(arrowField()), count, allocator);
        Scratch scratch = new Scratch(allocator)) {
      page.read(first, count, out, scratch);
      return values(out, allocator);
    }
  }

  List<String> take(PageDecoder page, int base, int[] offsets, BufferAllocator allocator)
      throws IOException {
    try (VectorBuilder out =
            VectorBuilder.of(ValueShape.of(arrowField()), offsets.length, allocator);
        Scratch scratch = new Scratch(allocator)) {
      page.take(base, offsets, 0, offsets.length, out, scratch);
      return values(out, allocator);
    }
  }

  private List<String> values(VectorBuilder out, BufferAllocator allocator) {
    try (FieldVector vector = out.build(arrowField(), allocator)) {
      vector.validate();
      List<String> values = new ArrayList<>();
      for (int row = 0; row < vector.getValueCount(); row++) {
        values.add(String.valueOf(vector.getObject(row)));
      }
      return values;
    }
  }

  private LanceField field() {
    return new LanceField(0, -1, "x", type, true, Map.of(), UnknownFields.none());
  }

  private Field arrowField() {
    LanceField field = field();
    return ArrowTypes.toArrow(new LanceSchema(List.of(field), Map.of()), field);
  }

  @Override
  public String toString() {
    return name;
  }

  /** The buffers one behind the other; counts the bytes that were read. */
  static final class CountingReader implements ObjectReader {
    private final ByteBuffer bytes;
    private final List<ByteRange> ranges = new ArrayList<>();
    private long bytesRead;

    CountingReader(List<byte[]> buffers) {
      bytes = ByteBuffer.allocate(buffers.stream().mapToInt(buffer -> buffer.length).sum());
      for (byte[] buffer : buffers) {
        ranges.add(new ByteRange(bytes.position(), buffer.length));
        bytes.put(buffer);
      }
    }

    List<ByteRange> ranges() {
      return ranges;
    }

    long bytesRead() {
      return bytesRead;
    }

    @Override
    public String path() {
      return "page";
    }

    @Override
    public long sizeBytes() {
      return bytes.capacity();
    }

    @Override
    public void readFully(long position, ByteBuffer target) throws IOException {
      if (position + target.remaining() > bytes.capacity()) {
        throw new EOFException();
      }
      bytesRead += target.remaining();
      target.put(bytes.slice((int) position, target.remaining()));
    }

    @Override
    public void close() {}
  }
}
