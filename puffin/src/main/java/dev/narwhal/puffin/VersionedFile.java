package dev.narwhal.puffin;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The file that Paimon and Delta put their vectors in: one byte, the version 1, then {@linkplain
 * CrcFrame frames} end to end.
 */
final class VersionedFile {
  static final byte VERSION = 1;
  static final int FRAMES_AT = 1;

  private VersionedFile() {}

  /** A file that holds one frame. */
  static ByteBuffer of(ByteBuffer frame) {
    ByteBuffer file = ByteBuffer.allocate(Math.addExact(FRAMES_AT, frame.remaining()));
    return file.put(VERSION).put(frame.duplicate()).flip().asReadOnlyBuffer();
  }

  /**
   * The bytes {@code [offset, offset + sizeBytes)} of a file.
   *
   * @throws PuffinFormatException for another version, or a range that leaves the file
   */
  static ByteBuffer frame(ByteBuffer file, long offset, long sizeBytes) {
    ByteBuffer view = requireVersion(file);
    if (offset < FRAMES_AT || offset > view.limit() || sizeBytes > view.limit() - offset) {
      throw PuffinFormatException.at(
          offset, "a vector of " + sizeBytes + " bytes", "to end within " + view.limit());
    }
    return view.slice((int) offset, (int) sizeBytes);
  }

  /**
   * The whole frame of a range that leaves out length field and CRC.
   *
   * @throws PuffinFormatException for another version, or a range that leaves the file
   */
  static ByteBuffer framed(ByteBuffer file, VectorRange range) {
    long sizeBytes = range.length() + CrcFrame.OVERHEAD_BYTES;
    return frame(file, range.offset(), sizeBytes < 0 ? Long.MAX_VALUE : sizeBytes);
  }

  /**
   * The ranges of all frames, found by their length fields alone.
   *
   * @param recordedLength what the format records for a frame whose length field has a value
   */
  static List<VectorRange> ranges(ByteBuffer file, LongUnaryOperator recordedLength) {
    ByteBuffer view = requireVersion(file);
    List<VectorRange> ranges = new ArrayList<>();
    int at = FRAMES_AT;
    while (at < view.limit()) {
      int left = view.limit() - at - CrcFrame.OVERHEAD_BYTES;
      if (left < 0) {
        throw PuffinFormatException.at(
            at, (view.limit() - at) + " bytes left", CrcFrame.OVERHEAD_BYTES + " or more");
      }
      int length = view.getInt(at);
      if (length < 0 || length > left) {
        throw PuffinFormatException.at(
            at, "length " + Integer.toUnsignedString(length), "at most " + left);
      }
      ranges.add(new VectorRange(at, recordedLength.applyAsLong(length)));
      at += CrcFrame.OVERHEAD_BYTES + length;
    }
    return ranges;
  }

  private static ByteBuffer requireVersion(ByteBuffer file) {
    ByteBuffer view = file.slice().order(ByteOrder.BIG_ENDIAN);
    if (view.limit() == 0) {
      throw PuffinFormatException.at(0, "an empty file", "version " + VERSION);
    }
    if (view.get(0) != VERSION) {
      throw PuffinFormatException.at(0, "version " + (view.get(0) & 0xFF), "" + VERSION);
    }
    return view;
  }
}
