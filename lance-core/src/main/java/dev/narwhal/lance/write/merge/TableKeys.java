package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.write.WriteContext;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Keys of the live rows of some fragments of a version, which only the key columns are read for.
 * Pages are decoded by other threads while this one looks keys up.
 */
final class TableKeys implements TargetKeys, Closeable {
  private final KeyEncoder encoder;
  private final BatchReader reader;

  TableKeys(WriteContext context, List<Fragment> fragments, KeyEncoder encoder) throws IOException {
    this.encoder = encoder;
    List<String> columns = encoder.columns().stream().map(Field::getName).toList();
    this.reader =
        new Scan(
                context.manifest().schema(),
                fragments,
                context.files(),
                ScanOptions.of(columns).withRowAddress().withBlobs(BlobMode.BYTES))
            .read(context.allocator());
  }

  @Override
  public boolean next(KeyBatch keys) throws IOException {
    keys.clear();
    if (!reader.next()) {
      return false;
    }
    UInt8Vector addresses = (UInt8Vector) reader.batch().getVector(SystemColumns.ROW_ADDRESS);
    encoder.encode(reader.batch(), addresses, keys);
    return true;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
