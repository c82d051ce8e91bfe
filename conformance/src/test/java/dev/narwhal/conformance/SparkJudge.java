package dev.narwhal.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Spark with Iceberg, a warm session in a process of its own. See the module {@code
 * conformance/spark}, which says what goes over the pipes.
 */
public final class SparkJudge implements Closeable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final PrintWriter requests;
  private final BufferedReader answers;
  private final Path log;

  private SparkJudge(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.requests = new PrintWriter(process.getOutputStream(), false, StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** What a statement came to. */
  public record Answer(List<JsonNode> rows, long nanos) {}

  /**
   * Starts a session; tables are {@code w.NAMESPACE.NAME}.
   *
   * @param warehouse an existing folder, in which a table lies at {@code NAMESPACE/NAME}
   * @param log gets what Spark prints
   * @param heap of Spark, as for {@code -Xmx}
   */
  public static SparkJudge start(Path warehouse, Path log, String heap) throws IOException {
    Path built =
        Path.of(System.getProperty("narwhal.root", ".."), "conformance/spark/target")
            .toAbsolutePath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.add("-Xmx" + heap);
    for (String opened :
        List.of(
            "java.base/java.lang",
            "java.base/java.lang.invoke",
            "java.base/java.lang.reflect",
            "java.base/java.io",
            "java.base/java.net",
            "java.base/java.nio",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic",
            "java.base/jdk.internal.ref",
            "java.base/sun.nio.ch",
            "java.base/sun.nio.cs",
            "java.base/sun.security.action",
            "java.base/sun.util.calendar")) {
      command.add("--add-opens=" + opened + "=ALL-UNNAMED");
    }
    command.add("-cp");
    command.add(
        built.resolve("libs")
            + File.separator
            + "*"
            + File.pathSeparator
            + built.resolve("classes"));
    command.add("dev.narwhal.conformance.spark.SparkServer");
    command.add(warehouse.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectError(log.toFile())
            .directory(warehouse.toFile())
            .start();
    SparkJudge judge = new SparkJudge(process, log);
    try {
      judge.expect("ready");
      return judge;
    } catch (IOException | RuntimeException e) {
      judge.close();
      throw e;
    }
  }

  /** Runs a statement; the rows are its result's, one JSON object each. */
  public List<JsonNode> sql(String statement) throws IOException {
    return run(statement).rows();
  }

  /** Runs a statement and tells the time it took there. */
  public Answer run(String statement) throws IOException {
    requests.println(encoded(statement));
    requests.flush();
    String[] head = line().split(" ", -1);
    if (head[0].equals("error")) {
      throw new IllegalStateException(statement + ": " + decoded(head[1]));
    }
    int count = Integer.parseInt(head[2]);
    List<JsonNode> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rows.add(JSON.readTree(decoded(line())));
    }
    return new Answer(rows, Long.parseLong(head[1]));
  }

  private void expect(String expected) throws IOException {
    String line = line();
    if (!line.equals(expected)) {
      throw new IllegalStateException("Spark answered " + line);
    }
  }

  private String line() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IllegalStateException("Spark is gone:\n" + Files.readString(log));
    }
    return line;
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String text) {
    return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
  }

  /** Ends the session and waits for its process. */
  @Override
  public void close() throws IOException {
    requests.close();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    answers.close();
  }
}
