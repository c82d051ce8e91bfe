package dev.narwhal.lance.predicate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.util.MemoryUtil;

/** Constant bytes, compared with memory eight at a time. */
final class BytePattern {
  private final byte[] bytes;
  private final long[] words;
  private final long last;

  BytePattern(byte[] bytes) {
    this.bytes = bytes.clone();
    ByteBuffer view = ByteBuffer.wrap(this.bytes).order(ByteOrder.nativeOrder());
    this.words = new long[bytes.length / 8];
    view.asLongBuffer().get(words);
    this.last = bytes.length < 8 ? 0 : view.getLong(bytes.length - 8);
  }

  int length() {
    return bytes.length;
  }

  /** Whether they are at an address that at least {@link #length()} bytes can be read from. */
  boolean isAt(long address) {
    if (bytes.length < 8) {
      for (int i = 0; i < bytes.length; i++) {
        if (MemoryUtil.getByte(address + i) != bytes[i]) {
          return false;
        }
      }
      return true;
    }
    for (int w = 0; w < words.length; w++) {
      if (MemoryUtil.getLong(address + 8L * w) != words[w]) {
        return false;
      }
    }
    return MemoryUtil.getLong(address + bytes.length - 8) == last;
  }
}
