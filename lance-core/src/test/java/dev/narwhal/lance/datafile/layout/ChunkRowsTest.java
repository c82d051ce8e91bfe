package dev.narwhal.lance.datafile.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkRowsTest {
  @Test
  void readsTheExampleOfTheFormatSheet() {
    // list lengths 3, 5, 1, 3 in chunks of 4 items
    ChunkRows rows = ChunkRows.decode(index(1, 1, 1, 0, 2, 0), 3, 4);
    assertThat(new int[] {rows.firstChunk(0), rows.lastChunk(0)}).containsExactly(0, 0);
    assertThat(new int[] {rows.firstChunk(1), rows.lastChunk(1)}).containsExactly(0, 1);
    assertThat(new int[] {rows.firstChunk(2), rows.lastChunk(2)}).containsExactly(2, 2);
    assertThat(new int[] {rows.firstChunk(3), rows.lastChunk(3)}).containsExactly(2, 2);
    assertThat(rows.firstRow(1)).isEqualTo(1);
    assertThat(rows.endRow(1)).isEqualTo(2);
    assertThat(rows.startsInside(1)).isTrue();
    assertThat(rows.startsInside(2)).isFalse();
  }

  @Test
  void findsRowsOverManyChunks() {
    // row 0 fills three chunks and ends in the fourth, in which row 1 begins and goes on
    ChunkRows rows = ChunkRows.decode(index(0, 9, 0, 9, 0, 9, 1, 2, 1, 0), 5, 2);
    assertThat(new int[] {rows.firstChunk(0), rows.lastChunk(0)}).containsExactly(0, 3);
    assertThat(new int[] {rows.firstChunk(1), rows.lastChunk(1)}).containsExactly(3, 4);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 1, 2, 0, 3", // negative
    "1, -1, 2, 0, 3",
    "1, 1, 1, 1, 2", // the last chunk goes on
    "1, 1, 0, 0, 2", // a row that goes on and never ends
    "1, 1, 2, 0, 4", // fewer rows than the page
    "1, 1, 3, 0, 3", // more rows than the page
    "1, 65536, 2, 0, 3", // more levels than a chunk can have
    "9223372036854775807, 1, 9223372036854775807, 0, 3"
  })
  void refusesNumbersThatDoNotAddUp(
      long ends0, long partial0, long ends1, long partial1, int rows) {
    ByteBuffer index = index(ends0, partial0, ends1, partial1);
    assertThatThrownBy(() -> ChunkRows.decode(index, 2, rows))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("repetition index");
  }

  @Test
  void refusesAnIndexOfAnotherSize() {
    assertThatThrownBy(() -> ChunkRows.decode(index(1, 0), 2, 1))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("16 bytes for 2 chunks");
  }

  private static ByteBuffer index(long... numbers) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(numbers);
    return bytes;
  }
}
