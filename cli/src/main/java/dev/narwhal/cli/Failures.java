package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.ResultStream;
import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.RetryableConflictException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.arrow.memory.OutOfMemoryException;

/** Failures in words: one line that says what went wrong, where, and what to do about it. */
final class Failures {
  private Failures() {}

  /**
   * The text behind {@code error:}.
   *
   * @param places what the command was to work on, as the user wrote it; the first is named unless
   *     the failure names one of them
   */
  static String describe(Throwable failure, List<String> places) {
    String message = Console.oneLine(message(unwrap(failure)));
    boolean placed = places.isEmpty() || places.stream().anyMatch(place -> names(message, place));
    return placed ? message : Console.oneLine(places.get(0)) + ": " + message;
  }

  private static boolean names(String message, String place) {
    if (message.contains(place)) {
      return true;
    }
    try {
      return message.contains(Path.of(place).toAbsolutePath().normalize().toString());
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Whether the reader of our results has gone. */
  static boolean isClosedPipe(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof ResultStream.Failed) {
        String message = String.valueOf(at.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("broken pipe") || message.contains("connection reset");
      }
    }
    return false;
  }

  private static Throwable unwrap(Throwable failure) {
    Throwable at = failure;
    while (isWrapper(at) && at.getCause() != null) {
      at = at.getCause();
    }
    return at;
  }

  private static boolean isWrapper(Throwable failure) {
    return failure instanceof UncheckedIOException
        || failure instanceof ExecutionException
        || failure instanceof CompletionException;
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage() == null ? "" : failure.getMessage();
    if (failure instanceof FileSystemException fileSystem) {
      return fileSystemMessage(fileSystem);
    }
    if (failure instanceof OutOfMemoryError || failure instanceof OutOfMemoryException) {
      return "out of memory (" + message + "); give the JVM more: NARWHAL_JAVA_OPTS=-Xmx4g";
    }
    if (failure instanceof StackOverflowError) {
      return "nested too deeply; give the JVM a larger stack: NARWHAL_JAVA_OPTS=-Xss16m";
    }
    if (failure instanceof EOFException) {
      return (message.isEmpty() ? "unexpected end of file" : message) + "; the file is cut off";
    }
    if (failure instanceof RetryableConflictException) {
      return message + "; nothing was committed, run the command again";
    }
    if (failure instanceof CommitStateUnknownException) {
      return message + "; look at that version before you run the command again";
    }
    if (failure instanceof org.apache.iceberg.exceptions.CommitStateUnknownException) {
      return message + "; look at the table before you run the command again";
    }
    if (message.isEmpty() || isBug(failure)) {
      return failure.getClass().getSimpleName()
          + (message.isEmpty() ? "" : ": " + message)
          + "; this is a fault of narwhal, --debug shows where";
    }
    return message;
  }

  private static String fileSystemMessage(FileSystemException failure) {
    String file = failure.getFile() == null ? "" : failure.getFile() + ": ";
    String reason = failure.getReason() == null ? "" : " (" + failure.getReason() + ")";
    if (failure instanceof NoSuchFileException) {
      return file + "no such file or directory" + (reason.isEmpty() ? "; check the path" : reason);
    }
    if (failure instanceof AccessDeniedException) {
      return file + "permission denied" + reason + "; check who may read and write it";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return file + "already exists" + reason + "; choose another path or remove it";
    }
    if (failure instanceof NotDirectoryException) {
      return file + "not a directory" + reason + "; check the path";
    }
    return file + (failure.getReason() == null ? "file system error" : failure.getReason());
  }

  /** Types that our own code throws only when it is wrong. */
  private static boolean isBug(Throwable failure) {
    if (failure instanceof IOException || failure instanceof FileNotFoundException) {
      return false;
    }
    return failure instanceof NullPointerException
        || failure instanceof IndexOutOfBoundsException
        || failure instanceof ClassCastException
        || failure instanceof NegativeArraySizeException
        || failure instanceof ArithmeticException
        || failure instanceof Error;
  }
}
