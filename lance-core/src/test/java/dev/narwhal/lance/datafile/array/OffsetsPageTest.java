package dev.narwhal.lance.datafile.array;

import static dev.narwhal.lance.datafile.array.Encodings.allNulls;
import static dev.narwhal.lance.datafile.array.Encodings.flat;
import static dev.narwhal.lance.datafile.array.Encodings.lists;
import static dev.narwhal.lance.datafile.array.Encodings.noNulls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.datafile.array.TestPage.CountingReader;
import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.encodings20.ArrayEncoding;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OffsetsPageTest {
  private final BufferAllocator allocator = new RootAllocator(32 << 20);

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  /** Items 0 to 3, none, null, 3 to 4; so 4 items and an adjustment of 5. */
  private static final long[] FOUR_LISTS = {3, 3, 8, 4};

  @Test
  void tellsListsEmptyListsAndNulls() throws IOException {
    ListExtents rows = new ListExtents(4);
    try (Scratch scratch = new Scratch(allocator)) {
      page(5, 4, FOUR_LISTS).read(0, 4, 100, rows, scratch);
    }
    assertThat(describe(rows)).containsExactly("3", "0", "null 0", "1");
    assertThat(spans(rows)).containsExactly("100-104");
    assertThat(rows.nulls()).isEqualTo(1);
  }

  @Test
  void startsInTheMiddle() throws IOException {
    ListExtents rows = new ListExtents(2);
    try (Scratch scratch = new Scratch(allocator)) {
      page(5, 4, FOUR_LISTS).read(2, 2, 0, rows, scratch);
    }
    assertThat(describe(rows)).containsExactly("null 0", "1");
    assertThat(spans(rows)).containsExactly("3-4");
  }

  @Test
  void takesWithoutTheItemsBetween() throws IOException {
    ListExtents rows = new ListExtents(2);
    try (Scratch scratch = new Scratch(allocator)) {
      page(6, 5, 2, 3, 5).take(-7, new int[] {6, 7, 9}, 1, 3, 10, rows, scratch);
    }
    assertThat(describe(rows)).containsExactly("2", "2");
    assertThat(spans(rows)).containsExactly("10-12", "13-15");
  }

  @Test
  void keepsTheItemsOfANullList() throws IOException {
    ListExtents rows = new ListExtents(2);
    try (Scratch scratch = new Scratch(allocator)) {
      page(4, 3, 2 + 4, 3).read(0, 2, 0, rows, scratch);
    }
    assertThat(describe(rows)).containsExactly("null 2", "1");
  }

  @Test
  void takesReadOnlyTheOffsetsAround() throws IOException {
    long[] offsets = new long[100_000];
    Arrays.setAll(offsets, i -> i);
    CountingReader reader = new CountingReader(List.of(bytes(offsets)));
    ListExtents rows = new ListExtents(2);
    try (Scratch scratch = new Scratch(allocator)) {
      open(reader, encoding(100_000, 99_999), offsets.length)
          .take(0, new int[] {5, 99_999}, 0, 2, 0, rows, scratch);
    }
    assertThat(reader.bytesRead()).isEqualTo(2 * 16);
  }

  @ParameterizedTest
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void rangesAndTakesAgreeWithAModel(long seed) throws IOException {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(10_000);
    long[] ends = new long[count];
    boolean[] nulls = new boolean[count];
    long items = 0;
    for (int i = 0; i < count; i++) {
      nulls[i] = random.nextInt(4) == 0;
      items += nulls[i] ? 0 : random.nextInt(5);
      ends[i] = items;
    }
    long[] stored = new long[count];
    for (int i = 0; i < count; i++) {
      stored[i] = nulls[i] ? ends[i] + items + 1 : ends[i];
    }
    OffsetsPage page = page(items + 1, items, stored);
    int first = random.nextInt(count);
    int[] offsets = random.ints(0, count - first).limit(50).distinct().sorted().toArray();
    ListExtents taken = new ListExtents(offsets.length);
    ListExtents read = new ListExtents(count - first);
    try (Scratch scratch = new Scratch(allocator)) {
      page.take(first, offsets, 0, offsets.length, 7, taken, scratch);
      page.read(first, count - first, 7, read, scratch);
    }
    for (int i = 0; i < count - first; i++) {
      assertThat(read.offset(i + 1))
          .isEqualTo(ends[first + i] - (first == 0 ? 0 : ends[first - 1]));
    }
    assertThat(describe(taken))
        .isEqualTo(Arrays.stream(offsets).mapToObj(describe(read)::get).toList());
    assertThat(spans(read)).hasSizeLessThanOrEqualTo(1);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "3 2, 'list 1 ends at item 2 of 4, the one before at 3'",
    "3 6, 'list 1 ends at item 1 of 4, the one before at 3'",
    "10 10, list 0 ends at item 5 of 4",
    "-1 4, list 0 ends at item 18446744073709551610 of 4"
  })
  void refusesOffsetsThatMakeNoSense(String stored, String message) {
    long[] offsets = Arrays.stream(stored.split(" ")).mapToLong(Long::parseLong).toArray();
    OffsetsPage page = page(5, 4, offsets);
    try (Scratch scratch = new Scratch(allocator)) {
      assertThatThrownBy(() -> page.read(0, 2, 0, new ListExtents(2), scratch))
          .isInstanceOf(LanceFormatException.class)
          .hasMessageContaining(message);
    }
  }

  @Test
  void refusesPagesThatAreNotOfLists() {
    assertThatThrownBy(() -> open(new CountingReader(List.of()), allNulls(), 1))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("all nulls");
  }

  @Test
  void refusesNumbersThatCannotBe() {
    byte[] offsets = new byte[16];
    assertThatThrownBy(() -> open(reader(offsets), encoding(0, 0), 2))
        .hasMessageContaining("null adjustment 0");
    assertThatThrownBy(() -> open(reader(offsets), encoding(1, -1), 2))
        .hasMessageContaining("18446744073709551615 items");
    assertThatThrownBy(() -> open(reader(offsets), encoding(1, 0), 3))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("has 16 bytes, expected 24");
    assertThatThrownBy(() -> open(reader(offsets), lists(allNulls(), 1, 0), 2))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("null");
  }

  private static ArrayEncoding encoding(long adjustment, long items) {
    return lists(noNulls(flat(64, 0)), adjustment, items);
  }

  private static CountingReader reader(byte[] offsets) {
    return new CountingReader(List.of(offsets));
  }

  private static OffsetsPage page(long adjustment, long items, long... offsets) {
    return open(reader(bytes(offsets)), encoding(adjustment, items), offsets.length);
  }

  private static OffsetsPage open(CountingReader reader, ArrayEncoding encoding, long rows) {
    return OffsetsPage.open(
        encoding.toByteString(), rows, new PageBuffers(reader, reader.ranges()));
  }

  private static byte[] bytes(long[] offsets) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * offsets.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(offsets);
    return bytes.array();
  }

  /** Number of items of each row, after {@code null} for nulls. */
  private static List<String> describe(ListExtents rows) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < rows.rows(); i++) {
      boolean valid = (rows.validity().get(i / 8) >> (i % 8) & 1) == 1;
      texts.add((valid ? "" : "null ") + (rows.offset(i + 1) - rows.offset(i)));
    }
    return texts;
  }

  private static List<String> spans(ListExtents rows) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < rows.spans(); i++) {
      texts.add(rows.spanStart(i) + "-" + rows.spanEnd(i));
    }
    return texts;
  }
}
