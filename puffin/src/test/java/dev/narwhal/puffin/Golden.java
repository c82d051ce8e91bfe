package dev.narwhal.puffin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** The bytes under {@code golden/}; its README tells how each file was made. */
final class Golden {
  private Golden() {}

  static byte[] bytes(String name) {
    try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
      if (in == null) {
        throw new IllegalStateException("no golden file " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ByteBuffer buffer(String name) {
    return ByteBuffer.wrap(bytes(name));
  }

  static ByteBuffer slice(String name, int offset, int length) {
    return buffer(name).slice(offset, length);
  }

  static byte[] toArray(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.slice().get(bytes);
    return bytes;
  }
}
