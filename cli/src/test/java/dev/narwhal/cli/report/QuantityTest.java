package dev.narwhal.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0,0 B",
    "999,999 B",
    "1000,1.00 kB",
    "12345,12.3 kB",
    "999499,999 kB",
    "999999,1.00 MB",
    "3371201,3.37 MB",
    "1e18,1.00 EB"
  })
  void bytesKeepThreeDigits(double bytes, String text) {
    assertThat(Quantity.bytes(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0.256,0.26 ms", "9.999,10.0 ms", "932.5,933 ms", "9999,'9,999 ms'", "12345,12.3 s"})
  void timesBecomeSecondsFromTenOn(double millis, String text) {
    assertThat(Quantity.millis(millis)).isEqualTo(text);
  }
}
