package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.datafile.codec.Compression;
import dev.narwhal.lance.datafile.codec.FastLanes;
import dev.narwhal.lance.datafile.codec.UnitDecompressor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Reused memory of one read or take: a direct buffer for bytes from the file and a sequence of heap
 * buffers and arrays for what decoders make of them. What was handed out stays valid until {@link
 * #reset()}; contents are undefined at first. One thread.
 *
 * <p>A decoder calls {@code reset()} before it decodes a chunk. Since chunks ask for the same
 * things in the same order, slots are reused at their size.
 */
public final class Scratch implements AutoCloseable {
  private final @Nullable BufferAllocator allocator;
  private final Slots<ByteBuffer> buffers =
      new Slots<>(
          size -> ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN), ByteBuffer::capacity);
  private final Slots<int[]> ints = new Slots<>(int[]::new, array -> array.length);
  private final Slots<short[]> shorts = new Slots<>(short[]::new, array -> array.length);
  private final Slots<long[]> longs = new Slots<>(long[]::new, array -> array.length);
  private final Map<Integer, FastLanes> lanes = new HashMap<>();
  private final Map<Compression, UnitDecompressor> decompressors = new EnumMap<>(Compression.class);
  private @Nullable ArrowBuf direct;

  public Scratch(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  private Scratch() {
    this.allocator = null;
  }

  /** For decoding what is kept: nothing but the heap, nothing to close, never reset. */
  public static Scratch onHeap() {
    return new Scratch();
  }

  /** The unpacker for values of 8, 16, 32 or 64 bits. */
  public FastLanes lanes(int valueBits) {
    return lanes.computeIfAbsent(valueBits, FastLanes::new);
  }

  public UnitDecompressor decompressor(Compression scheme) {
    return decompressors.computeIfAbsent(scheme, UnitDecompressor::new);
  }

  /**
   * The memory for bytes read from the file: direct, little-endian, position 0, limit {@code size}.
   * There is one: the next call invalidates it. {@link #reset()} does not.
   */
  public ByteBuffer direct(int size) {
    BufferAllocator allocator = this.allocator;
    if (allocator == null) {
      throw new IllegalStateException("this scratch memory is on the heap only");
    }
    ArrowBuf current = direct;
    if (current == null || current.capacity() < size) {
      if (current != null) {
        direct = null;
        current.close();
      }
      current = allocator.buffer(Math.max(size, 1));
      direct = current;
    }
    return current.nioBuffer(0, size).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A heap buffer: little-endian, position 0, limit {@code size}, with an array. */
  public ByteBuffer bytes(int size) {
    return buffers.next(size).clear().limit(size);
  }

  /** At least {@code length} ints. */
  public int[] ints(int length) {
    return ints.next(length);
  }

  /** At least {@code length} shorts. */
  public short[] shorts(int length) {
    return shorts.next(length);
  }

  /** At least {@code length} longs. */
  public long[] longs(int length) {
    return longs.next(length);
  }

  /** Everything but the direct buffer may be handed out again. */
  public void reset() {
    buffers.used = 0;
    ints.used = 0;
    shorts.used = 0;
    longs.used = 0;
  }

  @Override
  public void close() {
    ArrowBuf current = direct;
    if (current != null) {
      direct = null;
      current.close();
    }
  }

  private static final class Slots<T> {
    private final IntFunction<T> maker;
    private final ToIntFunction<T> size;
    private final List<T> slots = new ArrayList<>();
    private int used;

    Slots(IntFunction<T> maker, ToIntFunction<T> size) {
      this.maker = maker;
      this.size = size;
    }

    T next(int needed) {
      if (used == slots.size()) {
        slots.add(maker.apply(needed));
      } else if (size.applyAsInt(slots.get(used)) < needed) {
        slots.set(used, maker.apply(needed));
      }
      return slots.get(used++);
    }
  }
}
