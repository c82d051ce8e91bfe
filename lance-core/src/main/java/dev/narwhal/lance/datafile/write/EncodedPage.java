package dev.narwhal.lance.datafile.write;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A page that is ready to be written.
 *
 * @param rows what the page's length says: values of the column (2.0) or top-level rows
 * @param encoding serialised page message
 * @param buffers from position to limit; not changed any more
 */
record EncodedPage(long rows, ByteString encoding, List<ByteBuffer> buffers) {
  EncodedPage {
    buffers = List.copyOf(buffers);
  }
}
