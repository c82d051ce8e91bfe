package dev.narwhal.lance.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.schema.UnknownFields;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeletionFileTest {
  @Test
  void pathSpellsItsNumbersUnsigned() {
    assertThat(file(DeletionFile.Encoding.ARRAY, 3, -1L, OptionalLong.of(5)).relativePath(7))
        .isEqualTo("_deletions/7-3-18446744073709551615.arrow");
    assertThat(
            file(DeletionFile.Encoding.BITMAP, Long.MIN_VALUE, 0, OptionalLong.empty())
                .relativePath(0xFFFF_FFFFL))
        .isEqualTo("_deletions/4294967295-9223372036854775808-0.bin");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 0x1_0000_0000L})
  void refusesCountsOutsideU32(long deletedRows) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> file(DeletionFile.Encoding.ARRAY, 1, 1, OptionalLong.of(deletedRows)))
        .withMessageContaining("[1, 2^32-1]: " + deletedRows);
  }

  @Test
  void refusesVersionZero() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> file(DeletionFile.Encoding.ARRAY, 0, 1, OptionalLong.empty()))
        .withMessageContaining("readVersion");
  }

  private static DeletionFile file(
      DeletionFile.Encoding encoding, long readVersion, long id, OptionalLong deletedRows) {
    return new DeletionFile(
        encoding, readVersion, id, deletedRows, OptionalInt.empty(), UnknownFields.none());
  }
}
