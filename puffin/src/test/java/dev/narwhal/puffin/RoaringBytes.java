package dev.narwhal.puffin;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Portable Roaring bytes put together by hand, so that any rule can be broken. */
final class RoaringBytes {
  private record Container(int key, int cardinality, boolean run, ByteBuffer bytes) {}

  private final List<Container> containers = new ArrayList<>();

  RoaringBytes array(int key, int... values) {
    return add(key, values.length, false, shorts(values));
  }

  /** Pairs of first value and length less 1. */
  RoaringBytes runs(int key, int cardinality, int... pairs) {
    ByteBuffer out = little(2 + 2 * pairs.length);
    out.putChar((char) (pairs.length / 2)).put(shorts(pairs));
    return add(key, cardinality, true, out.flip());
  }

  RoaringBytes bitmap(int key, int cardinality, long... words) {
    ByteBuffer out = little(8192);
    for (long word : words) {
      out.putLong(word);
    }
    return add(key, cardinality, false, out.clear());
  }

  RoaringBytes add(int key, int cardinality, boolean run, ByteBuffer bytes) {
    containers.add(new Container(key, cardinality, run, bytes));
    return this;
  }

  ByteBuffer withoutRuns() {
    ByteBuffer out = little(8 + 8 * containers.size() + dataBytes());
    out.putInt(12346).putInt(containers.size());
    return rest(out, true);
  }

  ByteBuffer withRuns() {
    return withRuns(containers.size() >= 4);
  }

  ByteBuffer withRuns(boolean offsets) {
    int n = containers.size();
    ByteBuffer out = little(4 + (n + 7) / 8 + (offsets ? 8 : 4) * n + dataBytes());
    out.putInt(12347 | (n - 1) << 16);
    byte[] flags = new byte[(n + 7) / 8];
    for (int i = 0; i < n; i++) {
      if (containers.get(i).run()) {
        flags[i / 8] |= (byte) (1 << i % 8);
      }
    }
    out.put(flags);
    return rest(out, offsets);
  }

  private ByteBuffer rest(ByteBuffer out, boolean offsets) {
    for (Container container : containers) {
      out.putChar((char) container.key()).putChar((char) (container.cardinality() - 1));
    }
    int offset = out.position() + (offsets ? 4 * containers.size() : 0);
    for (Container container : containers) {
      if (offsets) {
        out.putInt(offset);
      }
      offset += container.bytes().limit();
    }
    for (Container container : containers) {
      out.put(container.bytes().duplicate());
    }
    return out.flip();
  }

  private int dataBytes() {
    return containers.stream().mapToInt(container -> container.bytes().limit()).sum();
  }

  private static ByteBuffer shorts(int... values) {
    ByteBuffer out = little(2 * values.length);
    for (int value : values) {
      out.putChar((char) value);
    }
    return out.flip();
  }

  static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
