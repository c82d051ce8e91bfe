package dev.narwhal.lance.scan;

import dev.narwhal.lance.storage.Closing;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * One task per window of some fragments, made as they are asked for. Fragments that must be open
 * before their windows are known are opened ahead, by threads of their own. A fragment that cannot
 * be opened is a task that fails, so that the rows before it are given. One thread.
 */
final class WindowTasks<T> implements Iterator<Callable<T>>, AutoCloseable {
  /** What is done with a window. */
  interface Work<T> {
    T run(Window window, OpenFragment fragment, long start) throws IOException;
  }

  private final List<FragmentLease> leases;
  private final WindowSize size;
  private final boolean deletedRows;
  private final BufferAllocator allocator;
  private final Work<T> work;
  private final Consumer<T> discard;
  private final OrderedTasks<Planned> ahead;
  private int planned;
  private @Nullable Planned current;

  /**
   * Starts to open fragments.
   *
   * @param discard gets results that nobody will see
   */
  WindowTasks(
      List<FragmentLease> leases,
      WindowSize size,
      ScanOptions options,
      BufferAllocator allocator,
      Work<T> work,
      Consumer<T> discard) {
    this.leases = List.copyOf(leases);
    this.size = size;
    this.deletedRows = options.deletedRows();
    this.allocator = allocator;
    this.work = work;
    this.discard = discard;
    Iterator<FragmentLease> each = this.leases.iterator();
    this.ahead =
        new OrderedTasks<>(
            new Iterator<>() {
              @Override
              public boolean hasNext() {
                return each.hasNext();
              }

              @Override
              public Callable<Planned> next() {
                FragmentLease lease = each.next();
                return () -> plan(lease);
              }
            },
            options.parallelism(),
            plan -> {});
  }

  /** A fragment whose rows are known; the lease is retained until the last window is made. */
  private static final class Planned {
    final FragmentLease lease;
    final FragmentLease.Span span;
    final int most;
    long done;

    Planned(FragmentLease lease, FragmentLease.Span span, int most) {
      this.lease = lease;
      this.span = span;
      this.most = most;
    }

    long start() {
      return span.start() + done;
    }

    long left() {
      return span.end() - start();
    }
  }

  @Override
  public boolean hasNext() {
    return current != null || planned < leases.size();
  }

  @Override
  public Callable<T> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    try {
      Planned plan = current == null ? nextPlan() : current;
      current = plan;
      return nextWindow(plan);
    } catch (InterruptedIOException e) {
      throw new UncheckedIOException(e);
    } catch (IOException | RuntimeException | Error e) {
      Planned failed = current;
      current = null;
      if (failed != null) {
        failed.lease.release(e);
      }
      return () -> {
        throw asException(e);
      };
    }
  }

  private Planned nextPlan() throws IOException {
    if (!size.needsFiles()) {
      return plan(leases.get(planned++));
    }
    Optional<Planned> next;
    try {
      next = ahead.next();
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      planned++;
      throw e;
    }
    planned++;
    return next.orElseThrow();
  }

  /** Learns where a fragment's rows are, and of its first pages how large they are. */
  private Planned plan(FragmentLease lease) throws IOException {
    lease.retain();
    try {
      FragmentLease.Span span = lease.span(deletedRows);
      long rows = span.end() - span.start();
      Planned plan = new Planned(lease, span, size.most(lease.fragment(), rows));
      if (size.needsFiles() && rows > 0) {
        size.rows(lease.acquire(), span.start(), 0, rows, plan.most, allocator);
      }
      return plan;
    } catch (IOException | RuntimeException | Error e) {
      lease.release(e);
      throw e;
    }
  }

  private Callable<T> nextWindow(Planned plan) throws IOException {
    FragmentLease lease = plan.lease;
    long start = plan.start();
    long left = plan.left();
    int count =
        size.needsFiles() && left > 0
            ? size.rows(lease.acquire(), start, plan.done, left, plan.most, allocator)
            : (int) Math.min(plan.most, left);
    plan.done += count;
    lease.retain();
    if (plan.left() == 0) {
      current = null;
      lease.release();
    }
    return () -> run(lease, start, count);
  }

  private T run(FragmentLease lease, long start, int count) throws IOException {
    T result;
    try {
      OpenFragment open = lease.acquire();
      result = work.run(new Window(open, start, count, allocator), open, start);
    } catch (IOException | RuntimeException | Error e) {
      lease.release(e);
      throw e;
    }
    try {
      lease.release();
    } catch (IOException | RuntimeException e) {
      discard.accept(result);
      throw e;
    }
    return result;
  }

  private static Exception asException(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (Exception) failure;
  }

  /** To be called when no task runs any more; closes the files whatever is left to read. */
  @Override
  public void close() throws IOException {
    try {
      ahead.close();
    } finally {
      Closing.all(leases);
    }
  }
}
