package dev.narwhal.lance.datafile;

import com.google.protobuf.Message;
import dev.narwhal.lance.proto.container.ColumnMetadata;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Damages good files where it hurts: numbers in messages, words in buffers, sizes of buffers,
 * encodings of one page in the place of another's. What comes out is a file whose container is
 * mostly whole, so that the damage reaches the decoders. The same for the same seed.
 */
final class FileMutator {
  private final Random random;
  private final MessageMutator messages;

  FileMutator(long seed) {
    random = new Random(seed);
    messages = new MessageMutator(random);
  }

  /**
   * A damaged file.
   *
   * @param file a good one
   * @param donor a good one of the same version that gives parts of its metadata
   */
  byte[] damage(byte[] file, byte[] donor) {
    FileAnatomy anatomy = FileAnatomy.of(file);
    int damages = 1 + Integer.numberOfTrailingZeros(random.nextInt() | 8);
    for (int i = 0; i < damages; i++) {
      damage(anatomy, donor);
    }
    byte[] damaged = anatomy.encode();
    if (random.nextInt(30) == 0) {
      int tail = Math.min(damaged.length, 40 + 32 * anatomy.columns.size());
      word(damaged, damaged.length - tail, tail);
    }
    return random.nextInt(50) == 0
        ? Arrays.copyOf(damaged, random.nextInt(damaged.length))
        : damaged;
  }

  private void damage(FileAnatomy anatomy, byte[] donor) {
    FileAnatomy.Column column = anatomy.columns.get(random.nextInt(anatomy.columns.size()));
    switch (random.nextInt(16)) {
      case 0 -> messages.mutate(anatomy.schema);
      case 1 -> messages.mutate(column.encoding);
      case 2, 3 -> messages.mutate(column.metadata);
      case 4, 5, 6, 7 -> {
        if (!column.pages.isEmpty()) {
          messages.mutate(column.pages.get(random.nextInt(column.pages.size())));
        }
      }
      case 8 -> transplant(anatomy, donor, column);
      case 9, 10 -> resize(anatomy, column);
      default -> buffer(anatomy, column);
    }
  }

  /** Gives a page the encoding of another one, perhaps of another file. */
  private void transplant(FileAnatomy anatomy, byte[] donor, FileAnatomy.Column column) {
    List<FileAnatomy.Column> from =
        (random.nextBoolean() ? anatomy : FileAnatomy.of(donor)).columns;
    List<Message.Builder> pages = from.get(random.nextInt(from.size())).pages;
    if (!pages.isEmpty() && !column.pages.isEmpty()) {
      column.pages.set(
          random.nextInt(column.pages.size()), pages.get(random.nextInt(pages.size())).clone());
    }
  }

  private void resize(FileAnatomy anatomy, FileAnatomy.Column column) {
    if (column.metadata.getPagesCount() == 0) {
      return;
    }
    ColumnMetadata.Page.Builder page =
        column.metadata.getPagesBuilder(random.nextInt(column.metadata.getPagesCount()));
    int buffers = Math.min(page.getBufferOffsetsCount(), page.getBufferSizesCount());
    if (buffers == 0) {
      return;
    }
    int buffer = random.nextInt(buffers);
    long offset = page.getBufferOffsets(buffer);
    long size = page.getBufferSizes(buffer);
    if (!inside(anatomy, offset, size)) {
      return;
    }
    int length =
        switch (random.nextInt(4)) {
          case 0 -> random.nextInt((int) size + 1);
          case 1 -> (int) size + 1 + random.nextInt(64);
          case 2 -> (int) size * 2;
          default -> Math.max(0, (int) size - 1 - random.nextInt(8));
        };
    byte[] old = Arrays.copyOfRange(anatomy.data(), (int) offset, (int) (offset + size));
    byte[] bytes = Arrays.copyOf(old, length);
    for (int i = old.length; i < length && old.length > 0; i++) {
      bytes[i] = old[i % old.length];
    }
    page.setBufferOffsets(buffer, anatomy.append(bytes)).setBufferSizes(buffer, length);
  }

  private void buffer(FileAnatomy anatomy, FileAnatomy.Column column) {
    if (column.metadata.getPagesCount() == 0) {
      return;
    }
    ColumnMetadata.Page page =
        column.metadata.getPages(random.nextInt(column.metadata.getPagesCount()));
    int buffers = Math.min(page.getBufferOffsetsCount(), page.getBufferSizesCount());
    if (buffers == 0) {
      return;
    }
    int buffer = random.nextInt(buffers);
    long offset = page.getBufferOffsets(buffer);
    long size = page.getBufferSizes(buffer);
    if (inside(anatomy, offset, size) && size > 0) {
      word(anatomy.data(), (int) offset, (int) size);
    }
  }

  /** Changes a word of 1 to 8 bytes, mostly near the start, where headers are. */
  private void word(byte[] bytes, int start, int length) {
    int width = Math.min(1 << random.nextInt(4), Integer.highestOneBit(length));
    int reach = random.nextInt(3) == 0 ? length : Math.min(length, 32);
    int at = random.nextInt(Math.max(1, reach / width)) * width;
    if (at > length - width) {
      return;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int position = start + at;
    switch (width) {
      case 1 -> buffer.put(position, (byte) messages.number(buffer.get(position)));
      case 2 -> buffer.putShort(position, (short) messages.number(buffer.getShort(position)));
      case 4 -> buffer.putInt(position, (int) messages.number(buffer.getInt(position)));
      default -> buffer.putLong(position, messages.number(buffer.getLong(position)));
    }
  }

  private static boolean inside(FileAnatomy anatomy, long offset, long size) {
    return offset >= 0 && size >= 0 && offset + size >= 0 && offset + size <= anatomy.data().length;
  }
}
