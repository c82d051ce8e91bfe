package dev.narwhal.conformance.bench;

import java.util.Arrays;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/**
 * A file in one array that is written over and over. Iceberg's own file in memory grows and copies
 * its array while it is written, which takes more time than what is measured here.
 */
final class ReusedMemory implements OutputFile {
  private static final int FIRST_SIZE = 1 << 20;

  private byte[] bytes = new byte[FIRST_SIZE];
  private int size;

  int size() {
    return size;
  }

  @Override
  public PositionOutputStream create() {
    return createOrOverwrite();
  }

  @Override
  public PositionOutputStream createOrOverwrite() {
    size = 0;
    return new Stream();
  }

  @Override
  public String location() {
    return "mem:reused";
  }

  /** A copy of what was written last. */
  @Override
  public InputFile toInputFile() {
    return new InMemoryInputFile(location(), Arrays.copyOf(bytes, size));
  }

  private final class Stream extends PositionOutputStream {
    @Override
    public long getPos() {
      return size;
    }

    @Override
    public void write(int value) {
      require(1);
      bytes[size++] = (byte) value;
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      require(length);
      System.arraycopy(source, offset, bytes, size, length);
      size += length;
    }

    private void require(int more) {
      if (bytes.length - size < more) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
      }
    }
  }
}
