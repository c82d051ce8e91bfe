package dev.narwhal.lance.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XxHash64Test {
  @ParameterizedTest(name = "hash of ''{0}''")
  @CsvSource({
    "'', ef46db3751d8e999",
    "a, d24ec4f1a98c6e5b",
    "abc, 44bc2cf5ad770999",
    "Nobody inspects the spammish repetition, fbcea83c8a378bf1"
  })
  void hashesAsTheSpecificationDoes(String text, String hash) {
    byte[] bytes = (">" + text + "<").getBytes(StandardCharsets.US_ASCII);
    assertThat(XxHash64.hash(bytes, 1, bytes.length - 2))
        .isEqualTo(Long.parseUnsignedLong(hash, 16));
  }
}
