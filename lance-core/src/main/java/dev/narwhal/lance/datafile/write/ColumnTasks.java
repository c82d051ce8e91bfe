package dev.narwhal.lance.datafile.write;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Runs tasks of columns, several at a time, and gives results in the order of the columns. */
final class ColumnTasks implements AutoCloseable {
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

  /** All results. The first failure is thrown, when no task runs any more. */
  <T> List<T> run(List<Callable<T>> tasks) throws InterruptedIOException {
    List<T> results = new ArrayList<>(tasks.size());
    try {
      if (threads == null || tasks.size() == 1) {
        for (Callable<T> task : tasks) {
          results.add(task.call());
        }
      } else {
        for (Future<T> future : threads.invokeAll(tasks)) {
          results.add(future.get());
        }
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while columns were encoded");
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw unchecked(e);
    }
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

  @Override
  public void close() {
    if (threads != null) {
      threads.shutdown();
    }
  }
}
