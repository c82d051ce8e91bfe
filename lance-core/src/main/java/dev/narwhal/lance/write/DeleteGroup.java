package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.transaction.AffectedRows;
import dev.narwhal.lance.transaction.Committed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Many small deletes, few versions: deletes that arrive while another one is under way wait, and
 * are then committed together, in the order of their arrival. Each caller is told its own count; a
 * row that two of them name counts for the first. A delete that fails on its own, for its predicate
 * is wrong or its rows do not exist, fails alone.
 *
 * <p>Each delete is worked out on a version that is at least as new as its call. Safe for use by
 * many threads, which is the point.
 */
public final class DeleteGroup {
  private final DeleteOptions options;
  private final ConcurrentLinkedQueue<Request> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock turn = new ReentrantLock(true);

  /** Guarded by {@link #turn}. */
  private WriteContext context;

  public DeleteGroup(WriteContext context, DeleteOptions options) {
    this.context = requireNonNull(context, "context");
    this.options = requireNonNull(options, "options");
  }

  /** Deletes the live rows for which a predicate is true; returns when that is committed. */
  public DeleteResult delete(String where) throws IOException {
    return delete(RowSelection.where(where));
  }

  /** Deletes rows that are named; returns when that is committed. */
  public DeleteResult delete(RowSelection rows) throws IOException {
    Request request = new Request(rows);
    waiting.add(request);
    turn.lock();
    try {
      if (!request.isDone()) {
        commitWaiting();
      }
    } finally {
      turn.unlock();
    }
    return request.result();
  }

  private void commitWaiting() {
    List<Request> batch = new ArrayList<>();
    for (Request next = waiting.poll(); next != null; next = waiting.poll()) {
      batch.add(next);
    }
    try {
      commit(batch);
    } catch (IOException | RuntimeException | Error e) {
      batch.forEach(request -> request.fail(e));
    }
  }

  private void commit(List<Request> batch) throws IOException {
    long start = System.nanoTime();
    long firstMillis = 0;
    List<Request> open = new ArrayList<>(batch);
    for (int attempt = 0; !open.isEmpty(); attempt++) {
      context = context.latest();
      Map<Long, MatchedRows> rows = plan(open);
      open.removeIf(Request::isDone);
      try {
        finish(open, rows, attempt);
        return;
      } catch (RetryableConflictException e) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        firstMillis = attempt == 0 ? millis : firstMillis;
        long left = options.retryTimeout().toMillis() - millis;
        boolean over = attempt >= options.conflictRetries() || left <= 0;
        for (Request request : open) {
          boolean mayRetry =
              request.source.holdsForNewerVersions(context) || e.conflict().isEmpty();
          if (over || !mayRetry) {
            request.fail(e);
          }
        }
        open.removeIf(Request::isDone);
        options.pacing().pause(attempt + 1, firstMillis, Math.max(0, left));
      }
    }
  }

  /** Gives each row to the first that names it; returns all of them, by fragment. */
  private Map<Long, MatchedRows> plan(List<Request> requests) throws IOException {
    Map<Long, MatchedRows> all = new TreeMap<>();
    for (Request request : requests) {
      try {
        request.rows = claim(request, all);
      } catch (IllegalArgumentException | PredicateEvaluationException e) {
        request.fail(e);
      }
    }
    return all;
  }

  private AffectedRows claim(Request request, Map<Long, MatchedRows> all) throws IOException {
    List<MatchedRows> found = request.source.find(context, context.manifest().fragments());
    Map<Long, DeletionVector> claimed = new TreeMap<>();
    for (MatchedRows matched : found) {
      long id = matched.fragment().id();
      MatchedRows before = all.get(id);
      DeletionVector mine = before == null ? matched.rows() : matched.rows().minus(before.rows());
      claimed.put(id, mine);
      all.put(
          id,
          new MatchedRows(
              matched.fragment(),
              matched.physicalRows(),
              matched.before(),
              before == null ? mine : before.rows().union(mine)));
    }
    return AffectedRows.of(claimed);
  }

  private void finish(List<Request> open, Map<Long, MatchedRows> rows, int earlier)
      throws IOException {
    DeletePlan plan = DeletePlan.of(List.copyOf(rows.values()));
    Optional<Committed> committed = Optional.empty();
    long version = context.version();
    long bytes = 0;
    if (!plan.isEmpty() && !options.dryRun()) {
      String text = open.size() == 1 ? open.get(0).source.text() : open.size() + " deletes";
      RowDelete.Outcome outcome = new RowDelete(context, options).commit(plan, text);
      committed = outcome.committed();
      version = outcome.version();
      bytes = outcome.bytesWritten();
      context = committed.isPresent() ? context.at(committed.get().file()) : context;
    }
    AffectedRows gone = committed.map(Committed::rowsAlreadyGone).orElse(AffectedRows.none());
    int attempts = earlier + committed.map(Committed::attempts).orElse(0);
    for (Request request : open) {
      request.succeed(version, gone, plan, bytes, attempts);
    }
  }

  /** One caller's delete; written under the lock, read by the caller after it held the lock. */
  private static final class Request {
    private final RowSelection source;
    private AffectedRows rows = AffectedRows.none();
    private @Nullable DeleteResult result;
    private @Nullable Throwable failure;

    Request(RowSelection source) {
      this.source = source;
    }

    boolean isDone() {
      return result != null || failure != null;
    }

    void fail(Throwable cause) {
      if (!isDone()) {
        failure = cause;
      }
    }

    void succeed(long version, AffectedRows gone, DeletePlan plan, long bytesOfAll, int attempts) {
      long deleted = 0;
      int updated = 0;
      int dropped = 0;
      for (FragmentDelete change : plan.changes()) {
        long id = change.fragment().id();
        long mine = rows.of(id).minus(gone.of(id)).cardinality();
        deleted += mine;
        if (mine > 0) {
          updated += change instanceof FragmentDelete.Updated ? 1 : 0;
          dropped += change instanceof FragmentDelete.Dropped ? 1 : 0;
        }
      }
      result = new DeleteResult(version, deleted, updated, dropped, bytesOfAll, attempts);
    }

    DeleteResult result() throws IOException {
      Throwable cause = failure;
      DeleteResult done = result;
      if (done != null) {
        return done;
      }
      if (cause instanceof IOException e) {
        throw e;
      }
      if (cause instanceof RuntimeException e) {
        throw e;
      }
      if (cause instanceof Error e) {
        throw e;
      }
      throw new IllegalStateException("a delete has neither a result nor a failure", cause);
    }
  }
}
