package dev.narwhal.lance.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.deletion.GoldenDeletions.Golden;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.types.MetadataVersion;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ArrayCodecTest {
  private static final long ALL = 1L << 32;
  private static final Field ROW_ID =
      new Field("row_id", FieldType.notNullable(new ArrowType.Int(32, false)), null);

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("dev.narwhal.lance.deletion.GoldenDeletions#arrays")
  void readsTheFilesOfRealLance(Golden golden) {
    DeletionVector vector = ArrayCodec.decode(golden.bytes(), golden.physicalRows());
    assertThat(golden.matches(vector)).isTrue();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void readsWhatItWrote(long seed) {
    DeletionVector vector = RandomVectors.vector(RandomVectors.offsets(new Random(seed)));
    ByteBuffer bytes = ArrayCodec.encode(vector);
    assertThat(bytes.isReadOnly()).isTrue();
    assertThat(ArrayCodec.decode(bytes, vector.max() + 1)).isEqualTo(vector);
    assertThat(bytes.position()).isZero();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void arrowsOwnReaderReadsWhatItWrote(long seed) throws IOException {
    DeletionVector vector = RandomVectors.vector(RandomVectors.offsets(new Random(seed)));
    ByteBuffer encoded = ArrayCodec.encode(vector);
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    try (ArrowFileReader reader =
        new ArrowFileReader(
            new ByteArrayReadableSeekableByteChannel(bytes),
            allocator,
            new AircompressorCodecs())) {
      assertThat(reader.getVectorSchemaRoot().getSchema()).isEqualTo(new Schema(List.of(ROW_ID)));
      assertThat(reader.getRecordBlocks()).hasSize(1);
      assertThat(reader.getRecordBlocks().get(0).getOffset() % 64).isZero();
      assertThat(reader.loadNextBatch()).isTrue();
      UInt4Vector column = (UInt4Vector) reader.getVectorSchemaRoot().getVector(0);
      assertThat(column.getNullCount()).isZero();
      int[] offsets = new int[column.getValueCount()];
      for (int i = 0; i < offsets.length; i++) {
        offsets[i] = column.get(i);
      }
      assertThat(offsets).isEqualTo(vector.toArray());
      assertThat(reader.loadNextBatch()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = CodecType.class,
      names = {"NO_COMPRESSION", "ZSTD", "LZ4_FRAME"})
  void readsWhatArrowsOwnWriterWrote(CodecType codec) throws IOException {
    for (int count : new int[] {1, 3, 1000, 50_000}) {
      int[] offsets = new Random(count).ints(count, 0, 3 * count).toArray();
      ByteBuffer bytes = write(List.of(uint4(offsets)), List.of(ROW_ID), codec, 1);
      assertThat(ArrayCodec.decode(bytes, 3L * count)).isEqualTo(DeletionVector.ofOffsets(offsets));
    }
  }

  @Test
  void readsMetadataOfVersionFour() throws IOException {
    ByteBuffer bytes =
        write(
            List.of(uint4(7, 3)),
            List.of(ROW_ID),
            CodecType.NO_COMPRESSION,
            1,
            new IpcOption(true, MetadataVersion.V4));
    assertThat(ArrayCodec.decode(bytes, ALL)).isEqualTo(DeletionVector.ofOffsets(3, 7));
  }

  @Test
  void takesOffsetsUnsortedTwiceAndUnsigned() throws IOException {
    ByteBuffer bytes =
        write(List.of(uint4(-1, 4, 0, 4, 4)), List.of(ROW_ID), CodecType.NO_COMPRESSION, 1);
    assertThat(ArrayCodec.decode(bytes, ALL)).isEqualTo(DeletionVector.ofOffsets(0, 4, -1));
    assertThatThrownBy(() -> ArrayCodec.decode(bytes, ALL - 1))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("offset 4294967295 in a fragment of 4294967295 rows");
  }

  @Test
  void aFileThatHoldsNothingIsTheEmptyVector() throws IOException {
    assertThat(ArrayCodec.decode(ArrayCodec.encode(DeletionVector.empty()), 0))
        .isEqualTo(DeletionVector.empty());
    ByteBuffer arrows = write(List.of(uint4()), List.of(ROW_ID), CodecType.ZSTD, 1);
    assertThat(ArrayCodec.decode(arrows, 0)).isEqualTo(DeletionVector.empty());
  }

  /** Real Lance refuses the same. */
  @ParameterizedTest(name = "{0}, nullable: {1}, {2} bits, signed: {3}")
  @CsvSource({
    "row_id, true, 32, false, a nullable column",
    "row_ids, false, 32, false, a column of another name",
    "row_id, false, 32, true, expected uint32",
    "row_id, false, 64, false, expected uint32"
  })
  void rejectsAnotherColumn(String name, boolean nullable, int bits, boolean signed, String message)
      throws IOException {
    Field field =
        new Field(name, new FieldType(nullable, new ArrowType.Int(bits, signed), null), null);
    FieldVector vector = field.createVector(allocator);
    vector.allocateNew();
    vector.setValueCount(0);
    ByteBuffer bytes = write(List.of(vector), List.of(field), CodecType.NO_COMPRESSION, 1);
    assertThatThrownBy(() -> ArrayCodec.decode(bytes, ALL))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }

  @Test
  void rejectsTwoBatchesNoneAndTwoColumns() throws IOException {
    ByteBuffer two = write(List.of(uint4(1)), List.of(ROW_ID), CodecType.NO_COMPRESSION, 2);
    assertThatThrownBy(() -> ArrayCodec.decode(two, ALL))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("2 batches, expected 1");
    ByteBuffer none = write(List.of(uint4(1)), List.of(ROW_ID), CodecType.NO_COMPRESSION, 0);
    assertThatThrownBy(() -> ArrayCodec.decode(none, ALL))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("0 batches, expected 1");
    Field other = new Field("x", FieldType.nullable(new ArrowType.Int(32, true)), null);
    IntVector ints = new IntVector(other, allocator);
    ints.allocateNew(1);
    ints.setSafe(0, 1);
    ints.setValueCount(1);
    ByteBuffer wide =
        write(List.of(uint4(1), ints), List.of(ROW_ID, other), CodecType.NO_COMPRESSION, 1);
    assertThatThrownBy(() -> ArrayCodec.decode(wide, ALL))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("2 columns, expected 1");
  }

  @Test
  void rejectsNulls() throws IOException {
    UInt4Vector vector = uint4(1, 2, 3);
    vector.setNull(1);
    ByteBuffer bytes = write(List.of(vector), List.of(ROW_ID), CodecType.NO_COMPRESSION, 1);
    assertThatThrownBy(() -> ArrayCodec.decode(bytes, ALL))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("1 nulls");
  }

  /** The claim is believed up to the rows of the fragment, or the bytes of the file. */
  @Test
  void rejectsMoreEntriesThanTheFragmentCanHave() throws IOException {
    int[] same = new int[20_000];
    Arrays.fill(same, 7);
    ByteBuffer bytes = write(List.of(uint4(same)), List.of(ROW_ID), CodecType.ZSTD, 1);
    assertThat(ArrayCodec.decode(bytes, 20_000)).isEqualTo(DeletionVector.ofOffsets(7));
    assertThatThrownBy(() -> ArrayCodec.decode(bytes, 19_999))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("20000 entries, at most 19999");
  }

  @ParameterizedTest
  @MethodSource("smallFiles")
  void rejectsEveryTruncation(Golden golden) {
    ByteBuffer good = golden.bytes();
    for (int length = 0; length < good.limit(); length++) {
      ByteBuffer cut = good.slice(0, length);
      assertThatThrownBy(() -> ArrayCodec.decode(cut, golden.physicalRows()))
          .as("first %d bytes", length)
          .isInstanceOf(LanceFormatException.class);
    }
  }

  /** Arrow has no checksum: a flipped bit in an offset, in padding or in metadata may go unseen. */
  @ParameterizedTest
  @MethodSource("smallFiles")
  void everyFlippedBitIsAFormatErrorOrAVectorInTheFragment(Golden golden) {
    byte[] good = golden.bytes().array();
    int rejected = 0;
    for (int bit = 0; bit < good.length * 8; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        DeletionVector vector = ArrayCodec.decode(ByteBuffer.wrap(bad), golden.physicalRows());
        assertThat(vector.max()).isLessThan(golden.physicalRows());
      } catch (LanceFormatException e) {
        rejected++;
      }
    }
    assertThat(rejected).isGreaterThan(500);
  }

  @Test
  void rejectsALengthPrefixThatIsNone() {
    int[] run = new int[2000];
    Arrays.setAll(run, i -> i);
    ByteBuffer good = ArrayCodec.encode(DeletionVector.ofOffsets(run));
    int at = indexOf(good, 8000);
    for (long length : new long[] {0, 1, 7999, 8064, -2, Long.MAX_VALUE, Long.MIN_VALUE}) {
      ByteBuffer bad = ByteBuffer.allocate(good.limit()).order(ByteOrder.LITTLE_ENDIAN);
      bad.put(good.duplicate()).flip().putLong(at, length);
      assertThatThrownBy(() -> ArrayCodec.decode(bad, 2000))
          .as("length %d", length)
          .isInstanceOf(LanceFormatException.class);
    }
  }

  static List<Golden> smallFiles() {
    return List.of(
        GoldenDeletions.named("0-1-5587294596689547528.arrow"),
        GoldenDeletions.named("0-1-15422194153001992845.arrow"));
  }

  private static int indexOf(ByteBuffer bytes, long value) {
    for (int at = 0; at < bytes.limit(); at += 8) {
      if (bytes.getLong(at) == value) {
        return at;
      }
    }
    throw new AssertionError("no " + value);
  }

  private UInt4Vector uint4(int... values) {
    UInt4Vector vector = new UInt4Vector(ROW_ID, allocator);
    vector.allocateNew(values.length);
    for (int i = 0; i < values.length; i++) {
      vector.set(i, values[i]);
    }
    vector.setValueCount(values.length);
    return vector;
  }

  private ByteBuffer write(
      List<FieldVector> vectors, List<Field> fields, CodecType codec, int batches)
      throws IOException {
    return write(vectors, fields, codec, batches, IpcOption.DEFAULT);
  }

  private static ByteBuffer write(
      List<FieldVector> vectors, List<Field> fields, CodecType codec, int batches, IpcOption option)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (VectorSchemaRoot root =
            new VectorSchemaRoot(fields, vectors, vectors.get(0).getValueCount());
        ArrowFileWriter writer =
            new ArrowFileWriter(
                root,
                null,
                Channels.newChannel(out),
                Map.of(),
                option,
                new AircompressorCodecs(),
                codec)) {
      writer.start();
      for (int i = 0; i < batches; i++) {
        writer.writeBatch();
      }
      writer.end();
    }
    return ByteBuffer.wrap(out.toByteArray());
  }
}
