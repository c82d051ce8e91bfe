package dev.narwhal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.cli.CommandLineTester.Result;
import dev.narwhal.cli.output.Console;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandRunnerTest {
  @Test
  void helpListsTheVerbsAndExitCodes() {
    Result result = CommandLineTester.run("--help");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("dv", "0 done, 1 failed, 2 wrong usage");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void versionGoesToStdout() {
    Result result = CommandLineTester.run("--version");
    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith("narwhal ").contains("JVM ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "dv",
        "swim",
        "dv dump",
        "dv dump x --nonsense",
        "dv dump x --offset 4",
        "dv dump x --offset -1 --length 2",
        "dv dump x --from lancet",
        "dv dump x --physical-rows -1",
        "dv convert x y",
        "dv convert x y --to avro"
      })
  void wrongUsageIsTwoLinesOnStderrAndExitCodeTwo(String line) {
    Result result = CommandLineTester.run((Object[]) line.split(" ", -1));
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines()).hasSize(2).first().asString().startsWith("error: ");
    assertThat(result.err()).contains("Try 'narwhal").contains("--help'.");
  }

  @Test
  void anArgumentThatTheLocaleMangledIsRefused() {
    Result result = CommandLineTester.run("count", "ds", "--where", "name = 'caf\uFFFD\uFFFD'");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).startsWith("error: ").contains("LC_ALL=C.UTF-8");
  }

  @Test
  void usageMessagesSayErrorOnce() {
    Result result = CommandLineTester.run("count", "ds", "--version", 1, "--tag", "t");
    assertThat(result.err()).startsWith("error: --version").doesNotContain("Error:");
  }

  @Test
  void aVectorReplacesNoFolder(@TempDir Path folder) throws IOException {
    Path vector = folder.resolve("v.bin");
    java.nio.file.Files.write(vector, new byte[] {0x3a, 0x30, 0, 0, 0, 0, 0, 0});
    Result result =
        CommandLineTester.run(
            "dv", "convert", vector, "--from", "lance-bitmap", "--to", "delta", folder);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains(folder + " is no regular file").hasLineCount(1);
  }

  @Test
  void aFailureIsOneLineOnStderrAndExitCodeOne(@TempDir Path folder) {
    Result result = CommandLineTester.run("dv", "dump", folder.resolve("none.bin"), "--json");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .isEqualTo(
            "error: "
                + folder.resolve("none.bin")
                + ": no such file or directory; check the path\n");
  }

  @Test
  void debugShowsTheStackTraceToo(@TempDir Path folder) {
    Result result = CommandLineTester.run("dv", "dump", "--debug", folder.resolve("none.bin"));
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("\tat dev.narwhal.cli").contains("error: ");
  }

  @Test
  void aReaderThatWentAwayIsNoFailure() throws IOException {
    Result result = withStdout("Broken pipe");
    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
  }

  @Test
  void aFullDiskIsAFailure() throws IOException {
    Result result = withStdout("No space left on device");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("error: stdout: No space left on device\n");
  }

  private static Result withStdout(String failure) throws IOException {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(failure);
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            new BufferedOutputStream(new dev.narwhal.cli.output.ResultStream(broken)),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false);
    Path vector = CommandLineTester.deletionFiles().get(0);
    int code = Main.run(console, "dv", "dump", vector.toString(), "--json");
    return new Result(code, "", err.toString(StandardCharsets.UTF_8));
  }
}
