package dev.narwhal.lance.schema;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import java.io.IOException;

/** Serialises messages so that equal content gives equal bytes: maps in the order of their keys. */
public final class DeterministicMessage {
  private DeterministicMessage() {}

  public static byte[] toBytes(Message message) {
    byte[] bytes = new byte[message.getSerializedSize()];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.useDeterministicSerialization();
    try {
      message.writeTo(out);
    } catch (IOException e) {
      throw new AssertionError("an array of the message's own size was too small", e);
    }
    out.checkNoSpaceLeft();
    return bytes;
  }
}
