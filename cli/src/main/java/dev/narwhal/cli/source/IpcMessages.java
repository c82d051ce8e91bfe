package dev.narwhal.cli.source;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;
import org.jspecify.annotations.Nullable;

/**
 * The messages of Arrow IPC, of a stream or of a file, whose footer says where they are. No length
 * is believed that the file cannot hold.
 *
 * <pre>
 * stream   schema, then dictionary and record batches; ends with a length of 0 or with the file.
 *          A message: FFFFFFFF (not in old ones), 4 bytes length of the metadata, little-endian;
 *          metadata, a flatbuffer; body, whose length the metadata tells
 * file     ARROW1 and 2 bytes of padding; a stream; footer, a flatbuffer; 4 bytes length of it;
 *          ARROW1
 * </pre>
 *
 * <p>Source: Arrow columnar format, "Serialization and Interprocess Communication (IPC)".
 */
final class IpcMessages extends MessageChannelReader {
  private static final byte[] MAGIC = "ARROW1".getBytes(US_ASCII);
  private static final int PADDED_MAGIC = 8;
  private static final int TAIL = Integer.BYTES + MAGIC.length;

  private final FileChannel channel;
  private final BufferAllocator bodies;

  /** Where batches begin; null in a stream, where each begins behind the one before. */
  private final @Nullable Queue<Long> batches;

  private boolean schemaRead;
  private @Nullable ArrowBuf body;

  private IpcMessages(FileChannel channel, BufferAllocator bodies, @Nullable Queue<Long> batches) {
    super(new Lengths(channel), bodies);
    this.channel = channel;
    this.bodies = bodies;
    this.batches = batches;
  }

  /** Opens a file or a stream, which the first bytes tell. */
  static IpcMessages open(Path file, BufferAllocator allocator) throws IOException {
    FileChannel channel = FileChannel.open(file);
    try {
      Queue<Long> batches = isFile(channel) ? batches(channel) : null;
      channel.position(batches == null ? 0 : PADDED_MAGIC);
      // a body may lie in memory beside the one before it, each rounded up
      long most = 4 * channel.size() + (1 << 20);
      return new IpcMessages(channel, allocator.newChildAllocator("bodies", 0, most), batches);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean isFile(FileChannel channel) throws IOException {
    return channel.size() >= MAGIC.length && Arrays.equals(bytes(channel, 0, MAGIC.length), MAGIC);
  }

  private static Queue<Long> batches(FileChannel channel) throws IOException {
    long size = channel.size();
    if (size < PADDED_MAGIC + TAIL) {
      throw new EOFException("cut off: " + size + " bytes");
    }
    byte[] tail = bytes(channel, size - TAIL, TAIL);
    int length = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (!Arrays.equals(tail, Integer.BYTES, TAIL, MAGIC, 0, MAGIC.length)) {
      throw new EOFException("cut off: it does not end with ARROW1");
    }
    if (length <= 0 || length > size - TAIL - PADDED_MAGIC) {
      throw new IOException("a footer of " + length + " bytes, but the file has " + size);
    }
    Footer footer =
        Footer.getRootAsFooter(ByteBuffer.wrap(bytes(channel, size - TAIL - length, length)));
    Queue<Long> offsets = new ArrayDeque<>();
    for (int i = 0; i < footer.dictionariesLength(); i++) {
      offsets.add(offset(footer.dictionaries(i), size));
    }
    for (int i = 0; i < footer.recordBatchesLength(); i++) {
      offsets.add(offset(footer.recordBatches(i), size));
    }
    return offsets;
  }

  private static long offset(Block block, long size) throws IOException {
    if (block.offset() < PADDED_MAGIC || block.offset() > size - TAIL) {
      throw new IOException("a batch at " + block.offset() + ", but the file has " + size);
    }
    return block.offset();
  }

  private static byte[] bytes(FileChannel channel, long position, int length) throws IOException {
    byte[] bytes = new byte[length];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position()) < 0) {
        throw new EOFException("cut off at " + (position + buffer.position()));
      }
    }
    return bytes;
  }

  /** The next message, or null behind the last. */
  @Override
  public @Nullable MessageResult readNext() throws IOException {
    if (batches != null && schemaRead) {
      Long next = batches.poll();
      if (next == null) {
        return null;
      }
      channel.position(next);
    }
    schemaRead = true;
    try {
      MessageResult message = super.readNext();
      body = message == null ? null : message.getBodyBuffer();
      if (message == null && batches != null) {
        throw new EOFException("no batch at " + channel.position());
      }
      return message;
    } catch (OutOfMemoryException e) {
      throw new IOException("a message with a body larger than the file", e);
    }
  }

  /** Frees the body of a message that could not be made a batch of. */
  void releaseBody() {
    if (body != null && body.getReferenceManager().getRefCount() > 0) {
      body.getReferenceManager().release(body.getReferenceManager().getRefCount());
    }
    body = null;
  }

  @Override
  public void close() throws IOException {
    super.close();
    bodies.close();
  }

  /** Looks at lengths when they are read, and takes no less than was asked for. */
  private static final class Lengths extends ReadChannel {
    private static final int CONTINUATION = -1;

    private final FileChannel channel;

    /** Whether the length of a message follows, which it need not at the end of a stream. */
    private boolean begun;

    Lengths(FileChannel channel) {
      super(channel);
      this.channel = channel;
    }

    @Override
    public int readFully(ByteBuffer buffer) throws IOException {
      int start = buffer.position();
      int asked = buffer.remaining();
      int read = super.readFully(buffer);
      boolean isLength = asked == Integer.BYTES;
      boolean ended = isLength && read == 0 && !begun;
      if (read != asked && !ended) {
        throw cutOff();
      }
      begun = false;
      if (isLength && read == asked) {
        int length = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(start);
        if (length < CONTINUATION || length > channel.size() - channel.position()) {
          throw new IOException(
              "a message of %d bytes at %d, but the file has %d"
                  .formatted(length, channel.position(), channel.size()));
        }
        begun = length == CONTINUATION;
      }
      return read;
    }

    @Override
    public long readFully(ArrowBuf buffer, long asked) throws IOException {
      if (asked > channel.size() - channel.position()) {
        throw cutOff(); // whoever made the buffer frees it
      }
      return super.readFully(buffer, asked);
    }

    private EOFException cutOff() throws IOException {
      return new EOFException("cut off at " + channel.size());
    }
  }
}
