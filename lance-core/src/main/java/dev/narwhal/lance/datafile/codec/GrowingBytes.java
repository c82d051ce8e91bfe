package dev.narwhal.lance.datafile.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes that are appended to, little-endian, on the heap. The array behind them is reached directly
 * by codecs that would be slow otherwise. One thread.
 */
public final class GrowingBytes {
  /** Largest array that every JVM makes. */
  public static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] NONE = {};

  private byte[] bytes;
  private int size;

  /** Room for the first bytes of an array that was given away. */
  private int expected;

  public GrowingBytes() {
    this(64);
  }

  public GrowingBytes(int capacity) {
    this(new byte[capacity]);
  }

  private GrowingBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  public int size() {
    return size;
  }

  /** The array that holds the bytes, from index 0 on; another one after the next append. */
  public byte[] array() {
    return bytes;
  }

  /** Forgets all bytes and keeps the memory. */
  public void clear() {
    size = 0;
  }

  /** Gives all bytes away with their array, and is empty after that, to become as large again. */
  public GrowingBytes take() {
    GrowingBytes taken = new GrowingBytes(bytes);
    taken.size = size;
    expected = size;
    bytes = NONE;
    size = 0;
    return taken;
  }

  /** Makes room for {@code more} bytes at once; a hint, which a buffer of 2 GiB may not follow. */
  public void reserve(long more) {
    long needed = Math.min(MAX_BYTES, size + more);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) needed);
    }
  }

  /** Forgets the bytes from {@code newSize} on, which must not exceed the size. */
  public void truncate(int newSize) {
    size = newSize;
  }

  /**
   * Makes room for {@code count} more bytes, which hold anything, and counts them in.
   *
   * @return index of the first in {@link #array()}
   * @throws IllegalStateException past 2 GiB
   */
  public int extend(int count) {
    long needed = (long) size + count;
    if (needed > bytes.length) {
      if (needed > MAX_BYTES) {
        throw new IllegalStateException("a buffer of " + needed + " bytes; 2 GiB is the most");
      }
      long roomy = Math.max(Math.max(needed, expected), 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, roomy));
    }
    int start = size;
    size += count;
    return start;
  }

  public void put(int value) {
    int at = extend(1);
    bytes[at] = (byte) value;
  }

  public void putShort(int value) {
    int at = extend(Short.BYTES);
    SHORT.set(bytes, at, (short) value);
  }

  public void putInt(int value) {
    int at = extend(Integer.BYTES);
    INT.set(bytes, at, value);
  }

  public void putLong(long value) {
    int at = extend(Long.BYTES);
    LONG.set(bytes, at, value);
  }

  /** Appends the low bytes of a word. */
  public void putWord(long value, int wordBytes) {
    int at = extend(wordBytes);
    for (int i = 0; i < wordBytes; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
  }

  public void put(byte[] source, int from, int count) {
    int at = extend(count);
    System.arraycopy(source, from, bytes, at, count);
  }

  public void put(GrowingBytes source) {
    put(source.bytes, 0, source.size);
  }

  /** Appends so many times the same byte. */
  public void fill(int value, int count) {
    int at = extend(count);
    Arrays.fill(bytes, at, at + count, (byte) value);
  }

  /** Appends a byte until the size is a multiple of {@code alignment}. */
  public void pad(int alignment, int value) {
    fill(value, Math.floorMod(-size, alignment));
  }

  public short shortAt(int index) {
    return (short) SHORT.get(bytes, index);
  }

  public int intAt(int index) {
    return (int) INT.get(bytes, index);
  }

  public long longAt(int index) {
    return (long) LONG.get(bytes, index);
  }

  public void setShort(int index, int value) {
    SHORT.set(bytes, index, (short) value);
  }

  public void setInt(int index, int value) {
    INT.set(bytes, index, value);
  }

  /** A view on all bytes, read-only, position 0; not to be used after the next append. */
  public ByteBuffer view() {
    return ByteBuffer.wrap(bytes, 0, size)
        .slice()
        .asReadOnlyBuffer()
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
