package dev.narwhal.lance.fragment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowAddressTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "1, 2, 4294967298",
    "0, 4294967295, 4294967295",
    "2147483648, 2147483648, -9223372034707292160",
    "4294967295, 4294967294, -2"
  })
  void joinsAndSplits(long fragment, long offset, long address) {
    assertThat(RowAddress.of(fragment, offset)).isEqualTo(address);
    assertThat(RowAddress.fragmentId(address)).isEqualTo(fragment);
    assertThat(RowAddress.offset(address)).isEqualTo(offset);
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "4294967296, 0", "0, -1", "0, 4294967296"})
  void refusesWhatIsNoU32(long fragment, long offset) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowAddress.of(fragment, offset))
        .withMessageContaining("[0, 2^32)");
  }

  @Test
  void tombstoneHasAllBitsSet() {
    assertThat(RowAddress.of(0xFFFF_FFFFL, 0xFFFF_FFFFL)).isEqualTo(RowAddress.TOMBSTONE);
  }
}
