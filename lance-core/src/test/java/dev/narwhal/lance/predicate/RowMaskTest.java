package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowMaskTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 128, 1000})
  void allHasEachRowAndNoneBeyond(int rows) {
    RowMask mask = RowMask.all(rows);
    assertThat(mask.cardinality()).isEqualTo(rows);
    assertThat(mask.toOffsets()).hasSize(rows);
    assertThat(mask.words()).hasSize((rows + 63) / 64);
    assertThat(mask.rows()).isEqualTo(rows);
  }

  @Test
  void setsAndClears() {
    RowMask mask = new RowMask(130);
    mask.set(0);
    mask.set(64);
    mask.set(129);
    mask.clear(64);
    assertThat(mask.toOffsets()).containsExactly(0, 129);
    assertThat(mask.get(129)).isTrue();
    assertThat(mask.get(64)).isFalse();
    assertThat(mask.isEmpty()).isFalse();
    assertThatThrownBy(() -> mask.get(130)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> mask.set(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void meetsAndSubtracts() {
    RowMask mask = RowMask.all(70);
    RowMask other = new RowMask(70);
    other.set(3);
    other.set(69);
    mask.and(other);
    assertThat(mask).isEqualTo(other).hasSameHashCodeAs(other);
    mask.andNot(new long[] {1L << 3, -1L << 6, -1L});
    assertThat(mask.toOffsets()).containsExactly(69);
    assertThatThrownBy(() -> mask.and(new RowMask(71)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("71");
    assertThatThrownBy(() -> mask.andNot(new long[1])).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void clearsBitsPastItsEnd() {
    assertThat(new RowMask(5, new long[] {-1L}).cardinality()).isEqualTo(5);
  }
}
