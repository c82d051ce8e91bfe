package dev.narwhal.cli.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Stdout, whose failures are told apart from those of files. */
public final class ResultStream extends FilterOutputStream {
  public ResultStream(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int b) throws IOException {
    try {
      out.write(b);
    } catch (IOException e) {
      throw new Failed(e);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw new Failed(e);
    }
  }

  /** Results could not be written. */
  public static final class Failed extends IOException {
    private static final long serialVersionUID = 1L;

    Failed(IOException cause) {
      super("stdout: " + cause.getMessage(), cause);
    }
  }
}
