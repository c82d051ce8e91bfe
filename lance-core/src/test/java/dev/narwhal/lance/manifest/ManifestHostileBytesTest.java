package dev.narwhal.lance.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damaged manifests. The format has no checksum: many a flipped bit gives another manifest that
 * nobody can tell from a good one.
 */
class ManifestHostileBytesTest {
  @ParameterizedTest
  @ValueSource(strings = {"del-sparse", "index-btree-delete", "stable-delete", "shallow-clone"})
  void rejectsEveryTruncation(String fixture) throws IOException {
    ByteBuffer bytes = latest(fixture);
    for (int length = 0; length < bytes.remaining(); length++) {
      ByteBuffer front = bytes.slice(0, length);
      assertThatExceptionOfType(LanceFormatException.class)
          .as("%d bytes", length)
          .isThrownBy(() -> ManifestCodec.decode(front));
      ByteBuffer back = bytes.slice(bytes.remaining() - length, length);
      decodesOrFailsByType(back, "last " + length + " bytes");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"del-sparse", "index-btree-delete", "stable-delete", "shallow-clone"})
  void everyFlippedBitIsATypedErrorOrOtherContent(String fixture) throws IOException {
    byte[] bytes = array(latest(fixture));
    for (int i = 0; i < bytes.length; i++) {
      for (int bit = 0; bit < 8; bit++) {
        bytes[i] ^= (byte) (1 << bit);
        decodesOrFailsByType(ByteBuffer.wrap(bytes), "bit " + bit + " of byte " + i);
        bytes[i] ^= (byte) (1 << bit);
      }
    }
    assertThat(ByteBuffer.wrap(bytes)).isEqualTo(latest(fixture));
  }

  private static void decodesOrFailsByType(ByteBuffer bytes, String what) {
    try {
      ManifestFile file = ManifestCodec.decode(bytes);
      // a reader looks into bitmaps later than at opening
      for (IndexMetadata index : file.indices()) {
        index.fragmentBitmap().ifPresent(FragmentBitmap::cardinality);
      }
    } catch (LanceFormatException | UnsupportedFeatureException e) {
      assertThat(e.getMessage()).as(what).isNotBlank();
    } catch (RuntimeException | OutOfMemoryError e) {
      fail(what, e);
    }
  }

  private static ByteBuffer latest(String fixture) throws IOException {
    LanceFixture loaded = LanceFixture.named(fixture);
    ManifestLocation latest = new ManifestStore(loaded.store()).latest();
    return loaded.store().read(latest.path());
  }

  private static byte[] array(ByteBuffer bytes) {
    byte[] array = new byte[bytes.remaining()];
    bytes.duplicate().get(array);
    return array;
  }
}
