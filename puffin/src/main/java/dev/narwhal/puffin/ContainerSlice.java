package dev.narwhal.puffin;

import static dev.narwhal.puffin.IcebergDvCodec.ONE_KEY_HEADER_BYTES;
import static dev.narwhal.puffin.IcebergDvCodec.ONE_KEY_OVERHEAD_BYTES;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Part of a checked bitmap, cut between containers: each is copied as it is, under a key that
 * counts from the start of the part. Layout in {@link RoaringStructure}.
 */
final class ContainerSlice {
  /** Positions under one container key. */
  private static final long CONTAINER_SPAN = 1L << 16;

  private ContainerSlice() {}

  static boolean isAligned(long position) {
    return position % CONTAINER_SPAN == 0;
  }

  /**
   * The containers with keys in {@code [startKey, endKeyExclusive)}.
   *
   * @param blob a blob of one bitmap, its Roaring bytes checked
   * @return a blob of one bitmap, all but its frame
   */
  static byte[] copy(byte[] blob, long startKey, long endKeyExclusive) {
    int limit = blob.length - CrcFrame.CRC_BYTES;
    RoaringHeader header = RoaringHeader.read(blob, ONE_KEY_HEADER_BYTES, limit);
    int first = 0;
    int at = header.containersAt();
    while (first < header.containers() && header.key(blob, first) < startKey) {
      at += size(header, blob, first, at);
      first++;
    }
    int end = first;
    int endAt = at;
    boolean runs = false;
    while (end < header.containers() && header.key(blob, end) < endKeyExclusive) {
      runs |= header.isRun(blob, end);
      endAt += size(header, blob, end, endAt);
      end++;
    }
    return assemble(header, blob, first, end, at, endAt, runs, (int) startKey);
  }

  private static byte[] assemble(
      RoaringHeader source,
      byte[] blob,
      int first,
      int end,
      int at,
      int endAt,
      boolean runs,
      int startKey) {
    int containers = end - first;
    boolean offsets = !runs || containers >= RoaringStructure.OFFSETS_FROM;
    int fixedBytes = runs ? 4 + (containers + 7) / 8 : 8;
    int headerBytes = fixedBytes + (offsets ? 8 : 4) * containers;
    byte[] slice = new byte[ONE_KEY_OVERHEAD_BYTES + headerBytes + endAt - at];
    ByteBuffer out = ByteBuffer.wrap(slice).order(ByteOrder.LITTLE_ENDIAN);
    out.position(ONE_KEY_HEADER_BYTES);
    if (runs) {
      out.putInt(RoaringStructure.COOKIE_WITH_RUNS | (containers - 1) << 16);
      byte[] flags = new byte[(containers + 7) / 8];
      for (int i = 0; i < containers; i++) {
        if (source.isRun(blob, first + i)) {
          flags[i >> 3] |= (byte) (1 << (i & 7));
        }
      }
      out.put(flags);
    } else {
      out.putInt(RoaringStructure.COOKIE_WITHOUT_RUNS).putInt(containers);
    }
    for (int i = first; i < end; i++) {
      out.putChar((char) (source.key(blob, i) - startKey));
      out.putChar((char) (source.cardinality(blob, i) - 1));
    }
    if (offsets) {
      int offset = headerBytes;
      int container = at;
      for (int i = first; i < end; i++) {
        out.putInt(offset);
        int size = size(source, blob, i, container);
        offset += size;
        container += size;
      }
    }
    out.put(blob, at, endAt - at);
    return slice;
  }

  private static int size(RoaringHeader header, byte[] blob, int i, int at) {
    return header.isRun(blob, i)
        ? ContainerRules.runSize(LittleEndian.u16(blob, at))
        : ContainerRules.plainSize(header.cardinality(blob, i));
  }
}
