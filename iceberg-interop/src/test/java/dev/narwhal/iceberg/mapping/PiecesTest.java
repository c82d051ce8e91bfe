package dev.narwhal.iceberg.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PiecesTest {
  private final Pieces pieces = new Pieces();

  private byte[] write(List<byte[]> written) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    pieces.clear();
    for (byte[] piece : written) {
      pieces.add(bytes.size());
      bytes.writeBytes(piece);
    }
    pieces.end(bytes.size());
    return bytes.toByteArray();
  }

  @ParameterizedTest(name = "{0} pieces")
  @ValueSource(ints = {0, 1, 2, 3, 16, 17, 100, 1000})
  void areSortedAsAListOfArraysIs(int count) {
    Random random = new Random(count);
    List<byte[]> written = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] piece = new byte[random.nextInt(3)];
      random.nextBytes(piece);
      written.add(piece);
    }
    byte[] bytes = write(written);

    int[] order = Arrays.copyOf(pieces.sorted(bytes), pieces.count());

    List<byte[]> expected = new ArrayList<>(written);
    expected.sort(Arrays::compareUnsigned);
    assertThat(Arrays.stream(order).mapToObj(written::get).toList())
        .usingElementComparator(Arrays::compareUnsigned)
        .isEqualTo(expected);
    TreeSet<byte[]> distinct = new TreeSet<>(Arrays::compareUnsigned);
    distinct.addAll(written);
    assertThat(pieces.hasDuplicates(bytes)).isEqualTo(distinct.size() < count);
  }

  @Test
  void areComparedAsUnsignedBytesAndPrefixesComeFirst() {
    byte[] bytes = write(List.of(new byte[] {-1}, new byte[] {1, 0}, new byte[] {1}, new byte[0]));

    assertThat(Arrays.copyOf(pieces.sorted(bytes), 4)).containsExactly(3, 2, 1, 0);
    assertThat(pieces.hasDuplicates(bytes)).isFalse();
  }
}
