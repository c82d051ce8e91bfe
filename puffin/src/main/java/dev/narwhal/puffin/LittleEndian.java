package dev.narwhal.puffin;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Unaligned little-endian reads from a byte array. */
final class LittleEndian {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle CHAR =
      MethodHandles.byteArrayViewVarHandle(char[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  static int u16(byte[] bytes, int at) {
    return (char) CHAR.get(bytes, at);
  }

  static int i32(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  static long u32(byte[] bytes, int at) {
    return (int) INT.get(bytes, at) & 0xFFFF_FFFFL;
  }

  static long i64(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }
}
