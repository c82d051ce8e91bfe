package dev.narwhal.lance.datafile.blob;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlobReaderTest {
  private static final String FILE = "data/f.lance";
  private static final LanceField FIRST = field("large_binary", "lance-encoding:blob", "true");
  private static final LanceField SECOND = field("struct", "ARROW:extension:name", "lance.blob.v2");

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore("");
  private final List<String> reads = new ArrayList<>();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @Test
  void readsNeighboursAtOnceAndOthersApart() throws IOException {
    byte[] bytes = new byte[100_000];
    Arrays.fill(bytes, (byte) 'x');
    put(FILE, bytes);
    List<@Nullable String> blobs =
        first(new long[] {0, 64, 1, 0, 80_000, 200}, new long[] {5, 3, 0, 0, 2, 4});
    assertThat(blobs).containsExactly("xxxxx", "xxx", null, "", "xx", "xxxx");
    assertThat(reads).containsExactly("f.lance 0+67", "f.lance 80000+2", "f.lance 200+4");
  }

  @Test
  void readsNothingForNullsAndEmptyBlobs() throws IOException {
    put(FILE, new byte[1]);
    assertThat(first(new long[] {0x10000, 0}, new long[] {0, 0})).containsExactly(null, "");
    assertThat(reads).isEmpty();
  }

  @Test
  void findsFilesBesideTheDataFileByTheReversedBitsOfTheirId() throws IOException {
    put(FILE, "abcdef".getBytes(US_ASCII));
    put("data/f/" + "1" + "0".repeat(31) + ".blob", "one".getBytes(US_ASCII));
    put("data/f/" + "01" + "0".repeat(30) + ".blob", "two".getBytes(US_ASCII));
    put("data/f/" + "1".repeat(32) + ".blob", "all".getBytes(US_ASCII));
    assertThat(
            second(
                new int[] {0, 1, 2, 1, 0},
                new int[] {0, 1, 2, 0xFFFF_FFFF, 0},
                new long[] {1, 1, 0, 0, 0},
                new long[] {2, 2, 3, 3, 0}))
        .containsExactly("bc", "ne", "two", "all", "");
  }

  @ParameterizedTest
  @CsvSource({
    "10, 1, 'blobs in [10, 11) of'",
    "4, 7, 'blobs in [4, 11) of'",
    "-1, 1, 'of 1 bytes at 18446744073709551615, which is in no file'",
    "1, -1, 'of 18446744073709551615 bytes at 1'",
    "1, 9223372036854775807, 'which is in no file'",
    "0, 9223372036854775807, 'which has 10 bytes'",
  })
  void refusesBlobsOutsideTheFile(long position, long size, String message) throws IOException {
    put(FILE, new byte[10]);
    assertThatThrownBy(() -> first(new long[] {0, position}, new long[] {0, size}))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesBlobsThatTogetherAreLargerThanTheFile() throws IOException {
    put(FILE, new byte[10]);
    assertThatThrownBy(() -> first(new long[] {0, 0}, new long[] {9, 9}))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("overlap");
  }

  @Test
  void refusesWhatIsOutsideTheDataset() throws IOException {
    put(FILE, new byte[10]);
    assertThatThrownBy(() -> second(new int[] {3}, new int[] {0}, new long[] {0}, new long[] {4}))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("'file:///etc/passwd'")
        .hasMessageContaining("descriptors");
    assertThatThrownBy(() -> second(new int[] {4}, new int[] {0}, new long[] {0}, new long[] {4}))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("kind 4");
  }

  @Test
  void namesABlobFileThatIsMissing() throws IOException {
    put(FILE, new byte[10]);
    assertThatThrownBy(() -> second(new int[] {1}, new int[] {1}, new long[] {0}, new long[] {4}))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("10000000000000000000000000000000.blob");
    assertThatThrownBy(() -> second(new int[] {1}, new int[] {0}, new long[] {0}, new long[] {4}))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("id 0");
  }

  @Test
  void closesEveryFileThatItOpensAndKeepsFewOpen() throws IOException {
    put(FILE, new byte[1]);
    int count = 100;
    int[] kinds = new int[count];
    int[] ids = new int[count];
    long[] sizes = new long[count];
    BlobFiles files = BlobFiles.beside(store, FILE);
    List<Integer> open = new ArrayList<>();
    List<Integer> most = new ArrayList<>(List.of(0));
    for (int i = 0; i < count; i++) {
      kinds[i] = 2;
      ids[i] = i + 1;
      sizes[i] = 1;
      String digits = Integer.toBinaryString(Integer.reverse(i + 1));
      put("data/f/" + "0".repeat(32 - digits.length()) + digits + ".blob", new byte[] {'b'});
    }
    BlobFiles counted =
        id -> {
          open.add(id);
          most.set(0, Math.max(most.get(0), open.size()));
          return new Watched(files.open(id), () -> open.remove((Integer) id));
        };
    try (StructVector descriptors = descriptors(kinds, ids, new long[count], sizes)) {
      assertThat(read(descriptors, SECOND, counted)).hasSize(count).containsOnly("b");
    }
    assertThat(open).isEmpty();
    assertThat(most.get(0)).isBetween(1, 16);
  }

  private List<@Nullable String> first(long[] positions, long[] sizes) throws IOException {
    Field field = ArrowTypes.toArrow(new LanceSchema(List.of(FIRST), Map.of()), FIRST);
    try (StructVector descriptors = (StructVector) field.createVector(allocator)) {
      UInt8Vector position = (UInt8Vector) descriptors.getChild("position");
      UInt8Vector size = (UInt8Vector) descriptors.getChild("size");
      for (int i = 0; i < sizes.length; i++) {
        position.setSafe(i, positions[i]);
        size.setSafe(i, sizes[i]);
        descriptors.setIndexDefined(i);
      }
      descriptors.setValueCount(sizes.length);
      return read(descriptors, FIRST, BlobFiles.none());
    }
  }

  private List<@Nullable String> second(int[] kinds, int[] ids, long[] positions, long[] sizes)
      throws IOException {
    try (StructVector descriptors = descriptors(kinds, ids, positions, sizes)) {
      return read(descriptors, SECOND, BlobFiles.beside(store, FILE));
    }
  }

  private StructVector descriptors(int[] kinds, int[] ids, long[] positions, long[] sizes) {
    Field field = ArrowTypes.toArrow(new LanceSchema(List.of(SECOND), Map.of()), SECOND);
    StructVector descriptors = (StructVector) field.createVector(allocator);
    for (int i = 0; i < sizes.length; i++) {
      ((UInt1Vector) descriptors.getChild("kind")).setSafe(i, kinds[i]);
      ((UInt8Vector) descriptors.getChild("position")).setSafe(i, positions[i]);
      ((UInt8Vector) descriptors.getChild("size")).setSafe(i, sizes[i]);
      ((UInt4Vector) descriptors.getChild("blob_id")).setSafe(i, ids[i]);
      ((VarCharVector) descriptors.getChild("blob_uri"))
          .setSafe(i, "file:///etc/passwd".getBytes(US_ASCII));
      descriptors.setIndexDefined(i);
    }
    descriptors.setValueCount(sizes.length);
    return descriptors;
  }

  private List<@Nullable String> read(StructVector descriptors, LanceField field, BlobFiles files)
      throws IOException {
    Field bytes =
        ArrowTypes.toArrow(new LanceSchema(List.of(field), Map.of()), BlobMode.BYTES)
            .getFields()
            .get(0);
    List<@Nullable String> blobs = new ArrayList<>();
    try (ObjectReader file = new Watched(store.open(FILE), () -> {});
        FieldVector vector = new BlobReader(file, files).read(descriptors, bytes, allocator)) {
      vector.validate();
      for (int i = 0; i < vector.getValueCount(); i++) {
        blobs.add(
            vector.isNull(i) ? null : new String(((LargeVarBinaryVector) vector).get(i), US_ASCII));
      }
    }
    return blobs;
  }

  private void put(String path, byte[] bytes) throws IOException {
    store.put(path, ByteBuffer.wrap(bytes));
  }

  private static LanceField field(String logicalType, String key, String value) {
    return new LanceField(0, -1, "b", logicalType, true, Map.of(key, value), UnknownFields.none());
  }

  /** Notes reads, and when it is closed. */
  private final class Watched implements ObjectReader {
    private final ObjectReader reader;
    private final Runnable closed;

    Watched(ObjectReader reader, Runnable closed) {
      this.reader = reader;
      this.closed = closed;
    }

    @Override
    public String path() {
      return reader.path();
    }

    @Override
    public long sizeBytes() {
      return reader.sizeBytes();
    }

    @Override
    public void readFully(long position, ByteBuffer target) throws IOException {
      String name = path().substring(path().lastIndexOf('/') + 1);
      reads.add(name + " " + position + "+" + target.remaining());
      reader.readFully(position, target);
    }

    @Override
    public void close() throws IOException {
      closed.run();
      reader.close();
    }
  }
}
