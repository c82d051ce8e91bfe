package dev.narwhal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.RetryableConflictException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FailuresTest {
  @ParameterizedTest(name = "{1}")
  @MethodSource("failures")
  void saysWhatAndWhatToDoOnOneLine(Throwable failure, String line) {
    assertThat(Failures.describe(failure, List.of())).isEqualTo(line);
  }

  @ParameterizedTest
  @CsvSource({
    "fragment 4 is odd, /data/ds: fragment 4 is odd",
    "/data/ds: odd, /data/ds: odd",
    "file:///data/ds/_versions/1.manifest: odd, file:///data/ds/_versions/1.manifest: odd",
    "warehouse/t: odd, warehouse/t: odd"
  })
  void saysWhereUnlessTheFailureDoes(String message, String line) {
    assertThat(
            Failures.describe(
                new LanceFormatException(message), List.of("/data/ds", "warehouse/t")))
        .isEqualTo(line);
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new DatasetNotFoundException("x: no dataset"), "x: no dataset"),
        Arguments.of(new LanceFormatException("a\n  b\tc"), "a b c"),
        Arguments.of(new UncheckedIOException(new IOException("disk on fire")), "disk on fire"),
        Arguments.of(
            new ExecutionException(new InvalidPredicateException("no column y")), "no column y"),
        Arguments.of(
            new RetryableConflictException("delete lost to append"),
            "delete lost to append; nothing was committed, run the command again"),
        Arguments.of(
            new CommitStateUnknownException("version 7 may be there", new IOException()),
            "version 7 may be there; look at that version before you run the command again"),
        Arguments.of(
            new AccessDeniedException("/x"),
            "/x: permission denied; check who may read and write it"),
        Arguments.of(
            new FileAlreadyExistsException("/x"),
            "/x: already exists; choose another path or remove it"),
        Arguments.of(new NotDirectoryException("/x"), "/x: not a directory; check the path"),
        Arguments.of(new FileSystemException("/x", null, "Is a directory"), "/x: Is a directory"),
        Arguments.of(new EOFException(), "unexpected end of file; the file is cut off"),
        Arguments.of(
            new OutOfMemoryException("12 GiB"),
            "out of memory (12 GiB); give the JVM more: NARWHAL_JAVA_OPTS=-Xmx4g"),
        Arguments.of(
            new OutOfMemoryError("Java heap space"),
            "out of memory (Java heap space); give the JVM more: NARWHAL_JAVA_OPTS=-Xmx4g"),
        Arguments.of(
            new IndexOutOfBoundsException("Index 5 out of bounds"),
            "IndexOutOfBoundsException: Index 5 out of bounds; this is a fault of narwhal,"
                + " --debug shows where"),
        Arguments.of(
            new NullPointerException(),
            "NullPointerException; this is a fault of narwhal, --debug shows where"));
  }
}
