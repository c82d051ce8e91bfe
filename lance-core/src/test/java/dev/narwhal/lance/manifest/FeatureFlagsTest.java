package dev.narwhal.lance.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeatureFlagsTest {
  static Stream<LanceFixture> fixtures() throws IOException {
    return LanceFixture.all().stream();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void recomputedMasksAreThoseOfLance(LanceFixture fixture) throws IOException {
    for (LanceFixture.Version version : fixture.versions()) {
      Manifest manifest =
          ManifestCodec.decode(fixture.store().read(version.manifest().get("file").textValue()))
              .manifest();
      assertThat(
              FeatureFlags.of(
                  manifest.fragments(),
                  manifest.config(),
                  manifest.basePaths(),
                  manifest.stableRowIds(),
                  false))
          .as(version.label())
          .isEqualTo(manifest.flags());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {64, 128, 65, 1L << 63, -1})
  void refusesMasksWithUnknownBits(long mask) {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> new FeatureFlags(mask, 0).requireReadable())
        .withMessageContaining("to read it")
        .withMessageContaining("0x" + Long.toHexString(mask & ~63L));
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> new FeatureFlags(0, mask).requireWritable())
        .withMessageContaining("to write it");
    assertThatCode(() -> new FeatureFlags(0, mask).requireReadable()).doesNotThrowAnyException();
    assertThatCode(() -> new FeatureFlags(mask, 0).requireWritable()).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 4, 8, 16, 32, 63})
  void acceptsEveryKnownBit(long mask) {
    FeatureFlags flags = new FeatureFlags(mask, mask);
    assertThatCode(flags::requireReadable).doesNotThrowAnyException();
    assertThatCode(flags::requireWritable).doesNotThrowAnyException();
  }
}
