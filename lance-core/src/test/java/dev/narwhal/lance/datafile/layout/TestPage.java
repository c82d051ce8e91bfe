package dev.narwhal.lance.datafile.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.RowRanges;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import dev.narwhal.lance.proto.encodings21.CompressiveEncoding;
import dev.narwhal.lance.proto.encodings21.Flat;
import dev.narwhal.lance.proto.encodings21.PageLayout;
import dev.narwhal.lance.proto.encodings21.Variable;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/** A page made by hand: the buffers of a column of some logical type behind a layout message. */
final class TestPage {
  private final LanceField field;
  private final long rows;
  private final PageLayout layout;
  private final List<byte[]> buffers;

  TestPage(String logicalType, long rows, PageLayout layout, byte[]... buffers) {
    this.field = new LanceField(0, -1, "x", logicalType, true, Map.of(), UnknownFields.none());
    this.rows = rows;
    this.layout = layout;
    this.buffers = List.of(buffers);
  }

  PageDecoder open() throws IOException {
    return LayoutPages.open(source());
  }

  /** Rows of a list of such values, in ranges. */
  List<@Nullable Object> readLists(RowRanges rows) throws IOException {
    LeafPath path = new LeafPath(List.of(new LeafPath.Step.Item(), new LeafPath.Step.Lists(32)));
    LevelPage page = LevelPages.open(source(), path);
    Field list = new Field("l", FieldType.nullable(new ArrowType.List()), List.of(arrowField()));
    try (BufferAllocator allocator = new RootAllocator();
        LeafBuilder out = new LeafBuilder(path, ValueShape.of(arrowField()), 1, allocator);
        Scratch scratch = new Scratch(allocator);
        ListVector vector = (ListVector) list.createVector(allocator)) {
      page.read(rows, out, scratch);
      assertThat(out.valueCount()).isEqualTo(out.node(1).items());
      out.node(1).transferTo(vector);
      out.transferValues(vector.getDataVector());
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = 0; i < vector.getValueCount(); i++) {
        values.add(vector.isNull(i) ? null : vector.getObject(i).toString());
      }
      return values;
    }
  }

  private PageSource source() throws IOException {
    MemoryObjectStore store = new MemoryObjectStore();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List<ByteRange> ranges = new ArrayList<>();
    for (byte[] buffer : buffers) {
      ranges.add(new ByteRange(all.size(), buffer.length));
      all.write(buffer);
    }
    store.put("page", ByteBuffer.wrap(all.toByteArray()));
    return new PageSource(
        field,
        ValueShape.of(arrowField()),
        rows,
        new PageBuffers(store.open("page"), ranges),
        layout.toByteString());
  }

  /** Rows as Arrow's plain objects. */
  List<@Nullable Object> read(long firstRow, int count) throws IOException {
    PageDecoder decoder = open();
    return build(count, (out, scratch) -> decoder.read(firstRow, count, out, scratch));
  }

  List<@Nullable Object> readAll() throws IOException {
    return read(0, Math.toIntExact(rows));
  }

  List<@Nullable Object> take(int... pageRows) throws IOException {
    PageDecoder decoder = open();
    return build(
        pageRows.length,
        (out, scratch) -> decoder.take(0, pageRows, 0, pageRows.length, out, scratch));
  }

  private interface Filling {
    void fill(VectorBuilder out, Scratch scratch) throws IOException;
  }

  private List<@Nullable Object> build(int count, Filling filling) throws IOException {
    Field arrow = arrowField();
    try (BufferAllocator allocator = new RootAllocator();
        VectorBuilder out = VectorBuilder.of(ValueShape.of(arrow), count, allocator);
        Scratch scratch = new Scratch(allocator)) {
      filling.fill(out, scratch);
      try (FieldVector vector = out.build(arrow, allocator)) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          Object value = vector.getObject(i);
          values.add(value instanceof org.apache.arrow.vector.util.Text ? value.toString() : value);
        }
        return values;
      }
    }
  }

  private Field arrowField() {
    return ArrowTypes.toArrow(new LanceSchema(List.of(field), Map.of()), field);
  }

  static CompressiveEncoding flat(long bits) {
    return CompressiveEncoding.newBuilder()
        .setFlat(Flat.newBuilder().setBitsPerValue(bits))
        .build();
  }

  static CompressiveEncoding variable(long offsetBits) {
    return CompressiveEncoding.newBuilder()
        .setVariable(Variable.newBuilder().setOffsets(flat(offsetBits)))
        .build();
  }

  /** Builds buffers; little-endian. */
  static final class Bytes {
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 17).order(ByteOrder.LITTLE_ENDIAN);

    Bytes u8(int... values) {
      for (int value : values) {
        buffer.put((byte) value);
      }
      return this;
    }

    Bytes u16(int... values) {
      for (int value : values) {
        buffer.putShort((short) value);
      }
      return this;
    }

    Bytes u32(int... values) {
      for (int value : values) {
        buffer.putInt(value);
      }
      return this;
    }

    Bytes u64(long... values) {
      for (long value : values) {
        buffer.putLong(value);
      }
      return this;
    }

    Bytes text(String text) {
      buffer.put(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      return this;
    }

    Bytes raw(byte[] bytes) {
      buffer.put(bytes);
      return this;
    }

    /** Pads to a multiple of 8 with the byte that Lance uses. */
    Bytes pad() {
      while (buffer.position() % 8 != 0) {
        buffer.put((byte) 0xFE);
      }
      return this;
    }

    int size() {
      return buffer.position();
    }

    byte[] done() {
      byte[] bytes = new byte[buffer.position()];
      buffer.get(0, bytes);
      return bytes;
    }
  }
}
