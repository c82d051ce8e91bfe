package dev.narwhal.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * Where results and messages go: results to stdout, buffered, everything else to stderr.
 *
 * <p>For one thread, progress apart.
 */
public final class Console {
  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream out;
  private final PrintStream err;
  private final boolean interactive;

  /**
   * A console over streams.
   *
   * @param interactive whether a person watches stderr, so that a progress bar makes sense
   */
  public Console(OutputStream out, PrintStream err, boolean interactive) {
    this.out = out;
    this.err = err;
    this.interactive = interactive;
  }

  /** The process's own streams. The launcher says whether stderr is a terminal. */
  public static Console system() {
    OutputStream stdout = new ResultStream(new FileOutputStream(FileDescriptor.out));
    PrintStream stderr = new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8);
    return new Console(
        new BufferedOutputStream(stdout, BUFFER_BYTES),
        stderr,
        Boolean.getBoolean("narwhal.terminal"));
  }

  /** The stream of results. Never closed by a verb. */
  public OutputStream out() {
    return out;
  }

  public PrintStream err() {
    return err;
  }

  /** A text view of {@link #out()}. Whoever writes flushes it. */
  public PrintWriter textWriter() {
    return new PrintWriter(new OutputStreamWriter(out, UTF_8));
  }

  /** Prints a result in the form asked for. */
  public void print(boolean json, Report report) throws IOException {
    if (json) {
      try (JsonGenerator generator = Json.generator(out)) {
        generator.writeStartObject();
        report.json(generator);
        generator.writeEndObject();
      }
      out.write('\n');
    } else {
      StringBuilder text = new StringBuilder();
      report.text(text);
      out.write(text.toString().getBytes(UTF_8));
    }
  }

  /** One line about something that did not stop the work. */
  public void warn(String message) {
    err.println("warning: " + oneLine(message));
  }

  /**
   * Progress of long work, drawn only when someone watches.
   *
   * @param total units of work, or -1 when not known
   */
  public Progress progress(String task, long total) {
    return interactive ? new ProgressBarProgress(task, total) : Progress.SILENT;
  }

  /** Line breaks and control characters become spaces. */
  public static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
  }

  public void flush() throws IOException {
    out.flush();
  }
}
