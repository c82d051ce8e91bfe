package dev.narwhal.iceberg.rowdelete;

import java.io.IOException;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.parquet.io.OutputFile;

/** A file of Iceberg's as Parquet's own writers take it. */
record OutputOfIceberg(org.apache.iceberg.io.OutputFile file) implements OutputFile {
  @Override
  public org.apache.parquet.io.PositionOutputStream create(long blockSize) {
    PositionOutputStream out = file.createOrOverwrite();
    return new org.apache.parquet.io.PositionOutputStream() {
      @Override
      public long getPos() throws IOException {
        return out.getPos();
      }

      @Override
      public void write(int b) throws IOException {
        out.write(b);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  @Override
  public org.apache.parquet.io.PositionOutputStream createOrOverwrite(long blockSize) {
    return create(blockSize);
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }
}
