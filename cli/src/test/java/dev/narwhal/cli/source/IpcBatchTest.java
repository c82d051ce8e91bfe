package dev.narwhal.cli.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.airlift.compress.zstd.ZstdCompressor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.ipc.message.ArrowBodyCompression;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IpcBatchTest {
  private static final ArrowBodyCompression PLAIN = NoCompressionCodec.DEFAULT_BODY_COMPRESSION;
  private static final ArrowBodyCompression ZSTD = new ArrowBodyCompression((byte) 1, (byte) 0);
  private static final byte[] NONE = {};
  private static final Field NUMBER = Field.nullable("n", new ArrowType.Int(32, true));
  private static final Field TEXT = Field.nullable("t", new ArrowType.Utf8());
  private static final Field LIST =
      new Field("l", FieldType.nullable(new ArrowType.List()), List.of(NUMBER));

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  /** As Arrow C++ writes columns without nulls. */
  @Test
  void anEmptyBufferOfACompressedBatchIsNotCompressed() {
    byte[] values = ints(7, 8);
    byte[] compressed = new byte[100];
    int length =
        new ZstdCompressor().compress(values, 0, values.length, compressed, 8, 92) + Long.BYTES;
    compressed[0] = (byte) values.length;
    try (ArrowRecordBatch batch =
            batch(2, nodes(2), ZSTD, NONE, Arrays.copyOf(compressed, length));
        ArrowRecordBatch plain = IpcBatch.plain(batch, List.of(NUMBER), allocator)) {
      assertThat(plain.getBodyCompression().getCodec()).isEqualTo(PLAIN.getCodec());
      assertThat(plain.getBuffers().get(0).writerIndex()).isZero();
      assertThat(plain.getBuffers().get(1).getInt(0)).isEqualTo(7);
      assertThat(plain.getBuffers().get(1).getInt(4)).isEqualTo(8);
    }
  }

  @Test
  void aCompressedBufferThatSaysItIsHugeIsRefusedBeforeItIsMade() {
    byte[] compressed = new byte[20];
    compressed[3] = 0x7F; // 2 GB
    refuse(batch(2, nodes(2), ZSTD, NONE, compressed), NUMBER, "a compressed buffer of 12 bytes");
  }

  @Test
  void lengthsThatContradictEachOtherAreRefused() {
    refuse(batch(3, nodes(2), PLAIN, NONE, ints(1, 2)), NUMBER, "'n': 2 values, expected 3");
    refuse(batch(2, nodes(2), PLAIN, NONE, ints(1)), NUMBER, "a buffer of 4 bytes, expected 8");
    refuse(
        batch(9, List.of(new ArrowFieldNode(9, 1)), PLAIN, new byte[1], new byte[36]),
        NUMBER,
        "a buffer of 1 bytes, expected 2");
    refuse(
        batch(1, List.of(new ArrowFieldNode(1, 2)), PLAIN, NONE, ints(1)),
        NUMBER,
        "1 values of which 2 are null");
    refuse(batch(1, nodes(1), PLAIN, NONE), NUMBER, "'n': without its buffers");
    refuse(batch(1, List.of(), PLAIN), NUMBER, "'n': missing from the batch");
    refuse(batch(1, nodes(1), PLAIN, NONE, ints(1), NONE), NUMBER, "more buffers than its columns");
  }

  @Test
  void offsetsThatPointNowhereAreRefused() {
    refuse(batch(2, nodes(2), PLAIN, NONE, ints(0, 3), new byte[3]), TEXT, "expected 12");
    refuse(batch(2, nodes(2), PLAIN, NONE, ints(0, 3, 1), new byte[3]), TEXT, "offset 1 behind 3");
    refuse(batch(1, nodes(1), PLAIN, NONE, ints(-1, 3), new byte[3]), TEXT, "offset -1 behind 0");
    refuse(batch(1, nodes(1), PLAIN, NONE, ints(0, 4), new byte[3]), TEXT, "3 bytes, expected 4");
    refuse(
        batch(1, nodes(1, 2), PLAIN, NONE, ints(0, 1 << 30), NONE, ints(1, 2)),
        LIST,
        "'l.n': 2 values, but there are offsets to 1073741824");
  }

  private void refuse(ArrowRecordBatch batch, Field field, String message) {
    try (batch) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> IpcBatch.plain(batch, List.of(field), allocator))
          .withMessageContaining(message);
    }
  }

  private static List<ArrowFieldNode> nodes(int... lengths) {
    List<ArrowFieldNode> nodes = new ArrayList<>();
    for (int length : lengths) {
      nodes.add(new ArrowFieldNode(length, 0));
    }
    return nodes;
  }

  private ArrowRecordBatch batch(
      int rows, List<ArrowFieldNode> nodes, ArrowBodyCompression compression, byte[]... buffers) {
    List<ArrowBuf> all = new ArrayList<>();
    for (byte[] bytes : buffers) {
      ArrowBuf buffer = allocator.buffer(bytes.length);
      buffer.setBytes(0, bytes);
      buffer.writerIndex(bytes.length);
      all.add(buffer);
    }
    try {
      return new ArrowRecordBatch(rows, nodes, all, compression);
    } finally {
      all.forEach(ArrowBuf::close);
    }
  }

  private static byte[] ints(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      bytes.putInt(value);
    }
    return bytes.array();
  }
}
