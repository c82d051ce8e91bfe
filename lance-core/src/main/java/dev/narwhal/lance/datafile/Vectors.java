package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.page.Bits;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** Vectors that need no column. */
final class Vectors {
  private Vectors() {}

  /** Makes a fresh vector one of nulls, of any type. */
  static void fillNull(FieldVector vector, int slots) {
    vector.setInitialCapacity(slots);
    vector.allocateNew();
    vector.setValueCount(slots);
  }

  /** Makes a fresh vector of structs one of valid ones; its children are not touched. */
  static void fillValid(FieldVector structs, int slots) {
    int sizeBytes = Bits.bytes(slots);
    try (ArrowBuf validity = structs.getAllocator().buffer(sizeBytes)) {
      validity.setOne(0L, sizeBytes);
      structs.loadFieldBuffers(new ArrowFieldNode(slots, 0), List.of(validity));
    }
  }
}
