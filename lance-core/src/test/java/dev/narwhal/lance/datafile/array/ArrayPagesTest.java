package dev.narwhal.lance.datafile.array;

import static dev.narwhal.lance.datafile.array.Encodings.allNulls;
import static dev.narwhal.lance.datafile.array.Encodings.binary;
import static dev.narwhal.lance.datafile.array.Encodings.bitpacked;
import static dev.narwhal.lance.datafile.array.Encodings.constant;
import static dev.narwhal.lance.datafile.array.Encodings.dictionary;
import static dev.narwhal.lance.datafile.array.Encodings.flat;
import static dev.narwhal.lance.datafile.array.Encodings.groups;
import static dev.narwhal.lance.datafile.array.Encodings.list;
import static dev.narwhal.lance.datafile.array.Encodings.noNulls;
import static dev.narwhal.lance.datafile.array.Encodings.someNulls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.array.TestPage.CountingReader;
import dev.narwhal.lance.datafile.codec.BitPacker;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.encodings20.ArrayEncoding;
import dev.narwhal.lance.proto.encodings20.Buffer;
import dev.narwhal.lance.proto.encodings20.Flat;
import dev.narwhal.lance.proto.encodings20.Nullable;
import dev.narwhal.lance.proto.encodings20.PackedStruct;
import dev.narwhal.lance.proto.encodings20.SimpleStruct;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ArrayPagesTest {
  /** For pages of a few KB: damaged numbers must not take more. */
  private static final long MAX_BYTES = 32 << 20;

  private static final int[] MASKS = {1, 0x18, 0x80};

  private final BufferAllocator allocator = new RootAllocator(MAX_BYTES);

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("dev.narwhal.lance.datafile.array.TestPages#all")
  void readsRangesAndTakesRows(TestPage page) throws IOException {
    PageDecoder decoder = page.open(page.reader());
    int rows = page.expected().size();
    assertThat(page.read(decoder, 0, rows, allocator)).isEqualTo(page.expected());
    Random random = new Random(1);
    for (int i = 0; i < 30; i++) {
      int first = random.nextInt(rows);
      int count = 1 + random.nextInt(rows - first);
      assertThat(page.read(decoder, first, count, allocator))
          .as("%d rows from %d", count, first)
          .isEqualTo(page.expected().subList(first, first + count));
      int[] picked =
          random
              .ints(first, first + count)
              .limit(1 + random.nextInt(20))
              .distinct()
              .sorted()
              .toArray();
      int[] offsets = Arrays.stream(picked).map(row -> row - first).toArray();
      assertThat(page.take(decoder, first, offsets, allocator))
          .as("rows %s", Arrays.toString(picked))
          .isEqualTo(Arrays.stream(picked).mapToObj(page.expected()::get).toList());
    }
  }

  /** Two rows at the ends of a page of 2 MB, and those around them. */
  @Test
  void readsOnlyWhereTakenRowsLie() throws IOException {
    int rows = 500_000;
    TestPage page =
        new TestPage(
            "numbers",
            "int32",
            someNulls(flat(1, 0), flat(32, 1)).toByteString(),
            List.of(new byte[rows / 8], new byte[4 * rows]),
            Collections.nCopies(rows, "null"));
    CountingReader reader = page.reader();
    PageDecoder decoder = page.open(reader);
    assertThat(reader.bytesRead()).isZero();
    page.take(decoder, 0, new int[] {3, 5, rows - 1}, allocator);
    assertThat(reader.bytesRead()).isEqualTo(1 + 3 * 4 + 1 + 4);
  }

  @Test
  void readsNoMoreOfStringsThanTheTakenOnesNeed() throws IOException {
    TestPage page = TestPages.named("strings");
    CountingReader reader = page.reader();
    PageDecoder decoder = page.open(reader);
    page.take(decoder, 0, new int[] {399}, allocator);
    assertThat(reader.bytesRead()).isEqualTo(16 + page.expected().get(399).length());
  }

  @Test
  void describesWhatAPageIsMadeOf() {
    assertThat(ArrayPages.describe(TestPages.named("nested lists").encoding()))
        .isEqualTo("no nulls(fixed-size list 2(nullable(fixed-size list 3(nullable(flat 1)))))");
    assertThat(ArrayPages.describe(TestPages.named("compressed strings").encoding()))
        .isEqualTo("binary(zstd(flat 8))");
    assertThat(ArrayPages.describe(allNulls().toByteString())).isEqualTo("all nulls");
  }

  static Stream<Arguments> unsupported() {
    return Stream.of(
        arguments(
            "int32",
            ArrayEncoding.newBuilder()
                .setList(dev.narwhal.lance.proto.encodings20.List.getDefaultInstance()),
            "list"),
        arguments(
            "int32",
            ArrayEncoding.newBuilder().setStruct(SimpleStruct.getDefaultInstance()),
            "struct"),
        arguments(
            "int32",
            ArrayEncoding.newBuilder().setPackedStruct(PackedStruct.getDefaultInstance()),
            "packed struct"),
        arguments("int32", ArrayEncoding.newBuilder(), "an encoding that 2.0 does not have"),
        arguments("int64", noNulls(flat(32, 0)).toBuilder(), "flat 32"),
        arguments("bool", noNulls(flat(8, 0)).toBuilder(), "flat 8"),
        arguments("string", noNulls(flat(8, 0)).toBuilder(), "flat 8"),
        arguments("int32", binary(flat(64, 0), flat(8, 0), 1).toBuilder(), "binary(flat 8)"),
        arguments("null", noNulls(flat(8, 0)).toBuilder(), "flat 8"),
        arguments("int32", constant((byte) 1).toBuilder(), "constant"),
        arguments(
            "fixed_size_list:int32:2", list(2, constant(new byte[4])).toBuilder(), "constant"),
        arguments(
            "int32",
            dictionary(flat(8, 0), flat(32, 0), 1).toBuilder(),
            "dictionary(flat 8, flat 32)"));
  }

  @ParameterizedTest(name = "{0} as {2}")
  @MethodSource("unsupported")
  void whatItDoesNotReadIsNamed(String type, ArrayEncoding.Builder encoding, String described)
      throws IOException {
    TestPage page = page(type, encoding.build(), 1, new byte[100]);
    assertThatThrownBy(() -> page.open(page.reader()))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("field 'x' of type " + type)
        .hasMessageContaining(described);
  }

  static Stream<Arguments> damaged() {
    ArrayEncoding strings = binary(flat(64, 0), flat(8, 1), 6);
    return Stream.of(
        arguments("buffer 1 is missing", page("int32", flat(32, 1), 1, new byte[4])),
        arguments("buffer 0 has 7 bytes, expected 8", page("int32", flat(32, 0), 2, new byte[7])),
        arguments("buffer 0 has 1 bytes, expected 2", page("bool", flat(1, 0), 9, new byte[1])),
        arguments(
            "does not say which rows are null",
            page(
                "int32",
                ArrayEncoding.newBuilder().setNullable(Nullable.getDefaultInstance()).build(),
                1)),
        arguments("lists of 3 items", page("fixed_size_list:int8:2", list(3, flat(8, 0)), 1)),
        arguments("packed to 33", page("int32", bitpacked(33, 32, false, 0), 1, new byte[9])),
        arguments("of no bits", page("int32", bitpacked(0, 32, false, 0), 1, new byte[9])),
        arguments("of 16 bits", page("int32", groups(3, 16, 0), 1, new byte[9])),
        arguments("expected 384", page("int32", groups(3, 32, 0), 1, new byte[383])),
        arguments("a dictionary of 0 items", page("string", dictionary(flat(8, 0), strings, 0), 1)),
        arguments(
            "null adjustment 0",
            page("string", binary(flat(64, 0), flat(8, 1), 0), 1, new byte[8], new byte[0])),
        arguments(
            "indices that are null",
            page("string", binary(allNulls(), flat(8, 1), 6), 1, new byte[8], new byte[0])),
        arguments(
            "FSST",
            page("string", Encodings.fsst(strings, new byte[7]), 1, new byte[8], new byte[0])));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("damaged")
  void pagesWhoseNumbersCannotBeAreNotOpened(String message, TestPage page) {
    assertThatThrownBy(() -> page.open(page.reader()))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest(name = "ends {0}, {1} of 5 bytes")
  @CsvSource({"3, 2", "12, 0", "-1, 0", "5, 10", "3, 8", "-9223372036854775808, 0"})
  void stringsThatEndBeforeTheyStartOrOutsideAreRefused(long first, long second)
      throws IOException {
    // an end of 6 or more is that of a null: 6 less
    TestPage page =
        page(
            "string",
            binary(flat(64, 0), flat(8, 1), 6),
            3,
            BitPacker.words(new long[] {first, second, 1}, 0, 3, 64),
            new byte[5]);
    PageDecoder decoder = page.open(page.reader());
    assertThatThrownBy(() -> page.read(decoder, 0, 3, allocator))
        .isInstanceOf(LanceFormatException.class);
  }

  @Test
  void dictionaryIndicesPastTheItemsAreRefused() throws IOException {
    TestPage good = TestPages.named("dictionary of 8");
    byte[] indices = good.buffers().get(0).clone();
    indices[150] = 4;
    TestPage page =
        good.with(good.encoding(), List.of(indices, good.buffers().get(1), good.buffers().get(2)));
    PageDecoder decoder = page.open(page.reader());
    page.read(decoder, 0, 150, allocator);
    assertThatThrownBy(() -> page.read(decoder, 0, 151, allocator))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("index 4 of value 150, the dictionary has 3 items");
  }

  @Test
  void buffersOfTheColumnAreNotSupported() {
    ArrayEncoding encoding =
        ArrayEncoding.newBuilder()
            .setFlat(
                Flat.newBuilder()
                    .setBitsPerValue(32)
                    .setBuffer(Buffer.newBuilder().setBufferType(Buffer.BufferType.column)))
            .build();
    TestPage page = page("int32", encoding, 1, new byte[4]);
    assertThatThrownBy(() -> page.open(page.reader()))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("column");
  }

  @Test
  void messagesThatNestTooDeepAreRefused() {
    ArrayEncoding encoding = flat(32, 0);
    for (int i = 0; i < 60; i++) {
      encoding = noNulls(encoding);
    }
    TestPage page = page("int32", encoding, 1, new byte[4]);
    assertThatThrownBy(() -> page.open(page.reader())).isInstanceOf(LanceFormatException.class);
  }

  /** Either a typed error or other values: pages have no checksum. Nothing leaks. */
  @ParameterizedTest
  @MethodSource("dev.narwhal.lance.datafile.array.TestPages#one")
  void survivesEveryDamageOfItsMessage(TestPage page) throws IOException {
    byte[] message = page.encoding().toByteArray();
    for (int at = 0; at < Math.min(message.length, 50); at++) {
      for (int mask : MASKS) {
        byte[] bad = message.clone();
        bad[at] ^= (byte) mask;
        tryAll(page.with(ByteString.copyFrom(bad), page.buffers()));
      }
      tryAll(page.with(ByteString.copyFrom(message, 0, at), page.buffers()));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.narwhal.lance.datafile.array.TestPages#one")
  void survivesEveryDamageOfItsBuffers(TestPage page) throws IOException {
    for (int buffer = 0; buffer < page.buffers().size(); buffer++) {
      byte[] good = page.buffers().get(buffer);
      int step = 1 + good.length / 30;
      for (int at = 0; at < good.length; at += step) {
        for (int mask : MASKS) {
          byte[] bad = good.clone();
          bad[at] ^= (byte) mask;
          tryAll(page.with(page.encoding(), replaced(page, buffer, bad)));
        }
        tryAll(page.with(page.encoding(), replaced(page, buffer, Arrays.copyOf(good, at))));
      }
    }
  }

  private static List<byte[]> replaced(TestPage page, int buffer, byte[] bytes) {
    List<byte[]> buffers = new ArrayList<>(page.buffers());
    buffers.set(buffer, bytes);
    return buffers;
  }

  private void tryAll(TestPage page) {
    int rows = page.expected().size();
    try {
      PageDecoder decoder = page.open(page.reader());
      assertThat(page.read(decoder, 0, rows, allocator)).hasSize(rows);
      assertThat(page.take(decoder, 0, new int[] {0, rows / 2, rows - 1}, allocator)).hasSize(3);
    } catch (LanceFormatException | UnsupportedFeatureException | EOFException e) {
      // a typed error is what damage should give
      assertThat(e.getMessage()).isNotEmpty();
    } catch (IOException | RuntimeException e) {
      fail("", e);
    }
  }

  private static TestPage page(String type, ArrayEncoding encoding, int rows, byte[]... buffers) {
    return new TestPage(
        "page",
        type,
        encoding.toByteString(),
        List.of(buffers),
        IntStream.range(0, rows).mapToObj(i -> "").toList());
  }
}
