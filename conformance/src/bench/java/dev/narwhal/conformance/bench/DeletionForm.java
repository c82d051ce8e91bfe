package dev.narwhal.conformance.bench;

import dev.narwhal.lance.deletion.ArrayCodec;
import dev.narwhal.lance.deletion.BitmapCodec;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.deletion.EncodedDeletions;
import java.nio.ByteBuffer;

/** The forms of a deletion file. */
enum DeletionForm {
  ARRAY {
    @Override
    EncodedDeletions encode(DeletionVector rows) {
      return EncodedDeletions.array(rows);
    }

    @Override
    DeletionVector decode(ByteBuffer bytes, long physicalRows) {
      return ArrayCodec.decode(bytes, physicalRows);
    }
  },

  BITMAP {
    @Override
    EncodedDeletions encode(DeletionVector rows) {
      return EncodedDeletions.bitmap(rows);
    }

    @Override
    DeletionVector decode(ByteBuffer bytes, long physicalRows) {
      return BitmapCodec.decode(bytes, physicalRows);
    }
  },

  BITMAP_WITH_RUNS {
    @Override
    EncodedDeletions encode(DeletionVector rows) {
      return EncodedDeletions.bitmapWithRuns(rows);
    }

    @Override
    DeletionVector decode(ByteBuffer bytes, long physicalRows) {
      return BitmapCodec.decode(bytes, physicalRows);
    }
  };

  abstract EncodedDeletions encode(DeletionVector rows);

  abstract DeletionVector decode(ByteBuffer bytes, long physicalRows);
}
