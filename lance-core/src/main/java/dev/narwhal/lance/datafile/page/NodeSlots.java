package dev.narwhal.lance.datafile.page;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a node above the leaves in the making: validity and, for lists, where in the items
 * each one starts. Room is made by whoever fills it. One thread.
 */
public final class NodeSlots implements AutoCloseable {
  private final BufferAllocator allocator;
  private final ValidityBuilder validity;
  private final int offsetBytes;
  private @Nullable ArrowBuf offsetBuffer;
  private ByteBuffer offsets = ByteBuffer.allocate(0);
  private int count;
  private int items;
  private boolean closed;

  private NodeSlots(int slots, int offsetBytes, BufferAllocator allocator) {
    this.allocator = allocator;
    this.offsetBytes = offsetBytes;
    this.validity = new ValidityBuilder(slots, allocator);
  }

  /**
   * Slots of structs or fixed-size lists: only their validity.
   *
   * @param slots number of slots there is room for
   */
  public static NodeSlots plain(int slots, BufferAllocator allocator) {
    return new NodeSlots(slots, 0, allocator);
  }

  /**
   * Slots of lists.
   *
   * @param slots number of slots there is room for
   * @param offsetBits width of Arrow's offsets, 32 or 64
   */
  public static NodeSlots lists(int slots, int offsetBits, BufferAllocator allocator) {
    NodeSlots lists = new NodeSlots(slots, offsetBits / 8, allocator);
    try {
      lists.reserve(slots, 0);
      return lists;
    } catch (RuntimeException e) {
      lists.close();
      throw e;
    }
  }

  /** Slots filled so far. */
  public int count() {
    return count;
  }

  /** Items of all lists so far. */
  public int items() {
    return items;
  }

  /**
   * Makes room for {@code more} slots, which are valid.
   *
   * @param moreItems items that their lists may have, at most
   */
  public void reserve(int more, int moreItems) {
    Slots.count((long) items + moreItems);
    int slots = Slots.count((long) count + more);
    validity.reserve(slots);
    int needed = Slots.sizeBytes((slots + 1L) * offsetBytes);
    ArrowBuf known = offsetBuffer;
    if (offsetBytes > 0 && (known == null || needed > offsets.capacity())) {
      ArrowBuf larger =
          known == null
              ? allocator.buffer(needed)
              : Slots.grow(known, (long) count * offsetBytes, needed, allocator);
      offsetBuffer = larger;
      offsets = Slots.view(larger, (int) Math.min(larger.capacity(), Integer.MAX_VALUE - 64));
    }
  }

  /** Appends {@code more} valid slots. There must be room. */
  public void appendValid(int more) {
    count += more;
  }

  /**
   * Appends up to 64 slots. There must be room.
   *
   * @param word bit i is set iff slot i is valid
   */
  public void append(long word, int more) {
    if (more > 0) {
      validity.putWord(count, word, more);
      count += more;
    }
  }

  /**
   * Where lists start among the items.
   *
   * @param slot below the number of slots there is room for
   */
  public void start(int slot, int item) {
    if (offsetBytes == Integer.BYTES) {
      offsets.putInt(slot * Integer.BYTES, item);
    } else {
      offsets.putLong(slot * Long.BYTES, item);
    }
  }

  /** Sets how many items all lists have. */
  public void endItems(int end) {
    items = end;
  }

  /** Whether the slots are another's: as many, as valid, and of the same lengths. */
  public boolean agrees(NodeSlots other) {
    int bytes = count * offsetBytes;
    return count == other.count
        && items == other.items
        && validity.agrees(other.validity, count)
        && offsets.slice(0, bytes).equals(other.offsets.slice(0, bytes));
  }

  /** Gives the filled memory to a fresh vector; not that of its children. To be called once. */
  public void transferTo(FieldVector vector) {
    ArrowFieldNode node = new ArrowFieldNode(count, validity.nullCount(count));
    ArrowBuf starts = offsetBuffer;
    if (starts == null) {
      vector.loadFieldBuffers(node, List.of(validity.buffer(count)));
    } else {
      start(count, items);
      vector.loadFieldBuffers(node, List.of(validity.buffer(count), starts));
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      validity.close();
      ArrowBuf starts = offsetBuffer;
      if (starts != null) {
        starts.close();
      }
    }
  }
}
