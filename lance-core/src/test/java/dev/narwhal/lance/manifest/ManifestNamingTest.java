package dev.narwhal.lance.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestNamingTest {
  @ParameterizedTest
  @CsvSource({
    "1, V1, 1.manifest",
    "1, V2, 18446744073709551614.manifest",
    "4, V2, 18446744073709551611.manifest",
    "2147483648, V1, 2147483648.manifest",
    "9223372036854775807, V1, 9223372036854775807.manifest",
    "9223372036854775807, V2, 09223372036854775808.manifest"
  })
  void formatsAndParsesEveryVersion(long version, ManifestNaming naming, String name) {
    assertThat(naming.format(version)).isEqualTo(name);
    assertThat(ManifestNaming.parse(name)).contains(new ManifestLocation(version, naming));
  }

  @Test
  void detachedVersionsAreNamedByTheirNumber() {
    long version = Long.parseUnsignedLong("9223372036854775900");
    assertThat(ManifestNaming.V1.format(version)).isEqualTo("d9223372036854775900.manifest");
    assertThat(ManifestNaming.V2.format(version)).isEqualTo("d9223372036854775900.manifest");
    assertThat(ManifestNaming.parse("d9223372036854775900.manifest"))
        .contains(new ManifestLocation(version, ManifestNaming.V2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "latest_version_hint.json",
        ".tmpX",
        ".tmp_7.manifest",
        "99.manifest#1",
        "1.manifest-d918be0f-f80f-4d23-a2be-54cd1b05eedf",
        "manifest",
        ".manifest",
        "0.manifest",
        "-1.manifest",
        "+1.manifest",
        "007.manifest",
        "1.MANIFEST",
        "1.manifest.manifest",
        "x1.manifest",
        "d5.manifest",
        "18446744073709551615.manifest",
        "18446744073709551616.manifest",
        "99999999999999999999.manifest",
        "00000000000000000001.manifest",
        "000000000000000000001.manifest",
        "9223372036854775808.manifest",
        ""
      })
  void otherNamesAreNoManifests(String name) {
    assertThat(ManifestNaming.parse(name)).isEmpty();
  }
}
