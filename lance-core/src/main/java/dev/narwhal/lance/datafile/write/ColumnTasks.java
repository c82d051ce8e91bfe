package dev.narwhal.lance.datafile.write;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Runs what columns have to do in several threads. Work on few bytes is done by the caller: to hand
 * it over would take longer.
 */
final class ColumnTasks implements AutoCloseable {
  private static final long LEAST_BYTES = 256 << 10;

  private final @Nullable ExecutorService threads;

  /**
   * @param parallelism tasks that run at the same time; 1 runs them in the caller's thread
   */
  ColumnTasks(int parallelism) {
    this.threads =
        parallelism == 1
            ? null
            : Executors.newFixedThreadPool(
                parallelism,
                task -> {
                  Thread thread = new Thread(task, "narwhal-write");
                  thread.setDaemon(true);
                  return thread;
                });
  }

  /**
   * All results, in the order of the tasks. The first failure is thrown, when none of the tasks
   * runs any more.
   *
   * @param sizeBytes of what the tasks read
   */
  <T> List<T> run(List<Callable<T>> tasks, long sizeBytes) throws InterruptedIOException {
    List<T> results = new ArrayList<>(tasks.size());
    try {
      if (threads == null || tasks.size() == 1 || sizeBytes < LEAST_BYTES) {
        for (Callable<T> task : tasks) {
          results.add(task.call());
        }
      } else {
        List<Future<T>> futures = new ArrayList<>(tasks.size());
        for (Callable<T> task : tasks) {
          futures.add(threads.submit(task));
        }
        awaitEnd(futures);
        for (Future<T> future : futures) {
          results.add(await(future));
        }
      }
      return results;
    } catch (RuntimeException | InterruptedIOException e) {
      throw e;
    } catch (Exception e) {
      throw unchecked(e);
    }
  }

  /** Even when the thread is interrupted: what tasks read must not be gone before they end. */
  private static <T> void awaitEnd(List<Future<T>> futures) throws InterruptedIOException {
    boolean interrupted = false;
    for (Future<T> future : futures) {
      while (!future.isDone()) {
        try {
          future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          // whoever asks for the result learns it
        }
      }
    }
    if (interrupted) {
      throw interrupted();
    }
  }

  /** Begins to encode pages. */
  Future<List<ColumnPage>> start(PageTask task) {
    return threads == null || task.sizeBytes() < LEAST_BYTES
        ? CompletableFuture.completedFuture(task.encoding().get())
        : threads.submit(() -> task.encoding().get());
  }

  /** What a task gives, or its failure. */
  static <T> T await(Future<T> future) throws InterruptedIOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      throw interrupted();
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    }
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while columns were encoded");
  }

  private static RuntimeException unchecked(@Nullable Throwable failure) {
    if (failure instanceof RuntimeException runtime) {
      return runtime;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("a column failed as it should not", failure);
  }

  /** Drops tasks that have not begun; those that have work on memory of their own to their end. */
  @Override
  public void close() {
    if (threads != null) {
      threads.shutdownNow();
    }
  }
}
