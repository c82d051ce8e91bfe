package dev.narwhal.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.narwhal.cli.output.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Runs command lines in this JVM and keeps what they print. */
final class CommandLineTester {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private CommandLineTester() {}

  static Result run(Object... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console = new Console(out, new PrintStream(err, true, UTF_8), false);
    int code = Main.run(console, Stream.of(args).map(Object::toString).toArray(String[]::new));
    return new Result(code, out.toString(UTF_8), err.toString(UTF_8));
  }

  /** The repository's root folder. */
  static Path root() {
    return Path.of(System.getProperty("narwhal.root", ".."));
  }

  /** The bundled deletion files of real Lance. */
  static List<Path> deletionFiles() throws IOException {
    try (Stream<Path> files =
        Files.walk(root().resolve("lance-core/src/test/resources/fixtures/lance"))) {
      return files
          .filter(path -> path.resolveSibling("").endsWith("_deletions"))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  record Result(int code, String out, String err) {
    /** Stdout as the one JSON object, on one line, that it must be. */
    JsonNode json() throws IOException {
      if (out.indexOf('\n') != out.length() - 1) {
        throw new AssertionError("not one line: " + out);
      }
      return MAPPER.readTree(out);
    }
  }
}
