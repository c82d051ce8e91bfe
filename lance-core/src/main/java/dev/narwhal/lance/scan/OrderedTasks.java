package dev.narwhal.lance.scan;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs tasks on a few threads and hands out their results in the order of the tasks, with a bounded
 * number of results in flight: memory follows the number of threads, not the number of tasks.
 *
 * <p>One consumer thread. Results that were never taken are given to {@code discard} on close,
 * which waits for the tasks that still run.
 */
final class OrderedTasks<T> implements AutoCloseable {
  private final Iterator<Callable<T>> tasks;
  private final Consumer<T> discard;
  private final int inFlight;
  private final ThreadPoolExecutor threads;
  private final ArrayDeque<Future<T>> pending = new ArrayDeque<>();

  OrderedTasks(Iterator<Callable<T>> tasks, int parallelism, Consumer<T> discard) {
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism must be at least 1: " + parallelism);
    }
    this.tasks = tasks;
    this.discard = discard;
    this.inFlight = parallelism + 1;
    this.threads =
        new ThreadPoolExecutor(
            parallelism,
            parallelism,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "narwhal-scan");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * The next task's result, or empty after the last. A task's failure is thrown here.
   *
   * @throws IllegalStateException after {@link #close}
   */
  Optional<T> next() throws IOException {
    if (threads.isShutdown()) {
      throw new IllegalStateException("there is nothing to read any more: it was closed");
    }
    try {
      while (pending.size() < inFlight && tasks.hasNext()) {
        pending.add(threads.submit(tasks.next()));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    Future<T> head = pending.poll();
    if (head == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(head.get());
    } catch (InterruptedException e) {
      pending.addFirst(head);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a batch");
    } catch (ExecutionException e) {
      throw rethrown(e);
    }
  }

  @Override
  public void close() {
    // To cancel a task that runs would lose what it makes, so only those in the queue are.
    List<Runnable> neverStarted = new ArrayList<>();
    threads.getQueue().drainTo(neverStarted);
    for (Runnable task : neverStarted) {
      ((Future<?>) task).cancel(false);
    }
    boolean interrupted = false;
    while (!pending.isEmpty()) {
      try {
        discard.accept(pending.peek().get());
      } catch (InterruptedException e) {
        interrupted = true;
        continue;
      } catch (ExecutionException | CancellationException e) {
        // it left nothing to discard, and whoever reads on will not miss it
      }
      pending.remove();
    }
    threads.shutdown();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static IOException rethrown(ExecutionException failure) {
    Throwable cause = failure.getCause();
    if (cause instanceof IOException io) {
      return io;
    }
    if (cause instanceof RuntimeException runtime) {
      throw runtime;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return new IOException(failure);
  }
}
