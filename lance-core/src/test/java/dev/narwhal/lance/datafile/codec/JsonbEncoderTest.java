package dev.narwhal.lance.datafile.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonbEncoderTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "false",
        "0",
        "1",
        "-1",
        "255",
        "256",
        "-128",
        "-129",
        "65536",
        "-2147483649",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "0.5",
        "-1e-300",
        "\"\"",
        "\"a\\\"\\\\\\n\\u0001é\"",
        "[]",
        "{}",
        "[1,[2,{\"a\":[]}],null]",
        "{\"a\":1,\"b\":{\"c\":\"d\"},\"e\":[true,false]}"
      })
  void comesBackAsItWas(String text) {
    assertThat(roundTrip(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"b\" : 1, \"a\" : 2}; {\"a\":2,\"b\":1}",
        "{\"a\":1,\"a\":2}; {\"a\":2}",
        "18446744073709551616; 1.8446744073709552e+19",
        "-9223372036854775809; -9.223372036854776e+18",
        "1E2; 100.0"
      })
  void takesTheFormThatRealLanceGives(String text, String expected) {
    assertThat(roundTrip(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[1,]", "nul", "1 2", "{\"a\"}", "'a'"})
  void refusesWhatIsNoJson(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonbEncoder.fromText(text.getBytes(UTF_8)))
        .withMessageStartingWith("not JSON");
  }

  private static String roundTrip(String text) {
    byte[] value = JsonbEncoder.fromText(text.getBytes(UTF_8));
    return new String(Jsonb.toText(ByteBuffer.wrap(value)), UTF_8);
  }
}
