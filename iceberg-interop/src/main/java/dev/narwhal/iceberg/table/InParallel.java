package dev.narwhal.iceberg.table;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.apache.iceberg.util.Tasks;

/** The same work on many things, one on each processor at a time. */
public final class InParallel {
  /** Work on one thing. */
  public interface Work<A, B> {
    B on(A thing) throws IOException;
  }

  private InParallel() {}

  /**
   * Works on each thing and gives the results in the things' order. When one fails no other is
   * begun, those begun are waited for, and the first failure is thrown.
   */
  public static <A, B> List<B> map(List<? extends A> things, Work<A, B> work) throws IOException {
    int threads = Math.min(Runtime.getRuntime().availableProcessors(), things.size());
    if (threads == 0) {
      return List.of();
    }
    AtomicReferenceArray<B> results = new AtomicReferenceArray<>(things.size());
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      Tasks.foreach(IntStream.range(0, things.size()).boxed().toList())
          .executeWith(pool)
          .stopOnFailure()
          .throwFailureWhenFinished()
          .run(i -> results.set(i, work.on(things.get(i))), IOException.class);
    } finally {
      pool.shutdownNow();
    }
    return IntStream.range(0, things.size()).mapToObj(results::get).toList();
  }
}
