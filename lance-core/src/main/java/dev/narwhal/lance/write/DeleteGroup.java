package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.CommitStateUnknownException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Many small deletes, few versions: deletes that arrive while another one is under way wait, and
 * are then committed together, in the order of their arrival. Each caller is told its own count; a
 * row that two of them name counts for the first. The bytes and attempts that they are told are
 * those of the version they share.
 *
 * <p>A predicate, or stable row ids, are looked for on a version that is at least as new as the
 * call. Addresses and offsets mean rows of the version that the group was made on, however old that
 * is by now. While other commits leave rows where they are, such deletes go together with the rest;
 * after one that may have moved some (an Update, a compaction, a restore), each is committed for
 * itself on the last version before, and fails with the conflict if its rows are concerned.
 *
 * <p>The thread of one caller does the work of all that wait. What goes wrong with one delete alone
 * fails that one; when the working thread is interrupted its own delete fails, and the thread of
 * another goes on. Only what concerns the common version fails all: storage that cannot be written,
 * or conflicts attempt after attempt. Safe for use by many threads, which is the point.
 */
public final class DeleteGroup {
  private final DeleteOptions options;

  /** The version that addresses mean rows of. */
  private final WriteContext first;

  private final ConcurrentLinkedQueue<DeleteRequest> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock turn = new ReentrantLock(true);

  /** Taken from the queue by a thread that was interrupted; guarded by {@link #turn}. */
  private final List<DeleteRequest> leftOver = new ArrayList<>();

  /** Guarded by {@link #turn}. */
  private final SteadyAddresses addresses;

  /** The newest version, as far as known; guarded by {@link #turn}. */
  private WriteContext newest;

  public DeleteGroup(WriteContext context, DeleteOptions options) {
    this.first = requireNonNull(context, "context");
    this.options = requireNonNull(options, "options");
    this.addresses = new SteadyAddresses(context);
    this.newest = context;
  }

  /** Deletes the live rows for which a predicate is true; returns when that is committed. */
  public DeleteResult delete(String where) throws IOException {
    return delete(RowSelection.where(where));
  }

  /**
   * Deletes rows that are named; returns when that is committed. Rows that are deleted already do
   * not count.
   */
  public DeleteResult delete(RowSelection rows) throws IOException {
    DeleteRequest request = new DeleteRequest(rows);
    waiting.add(request);
    turn.lock();
    try {
      if (!request.isDone()) {
        commitWaiting(request);
      }
    } finally {
      turn.unlock();
    }
    return request.result();
  }

  /** Number of deletes that nobody has begun with. */
  int waiting() {
    return waiting.size();
  }

  /**
   * @param own the request of this thread
   */
  private void commitWaiting(DeleteRequest own) {
    List<DeleteRequest> batch = new ArrayList<>(leftOver);
    leftOver.clear();
    for (DeleteRequest next = waiting.poll(); next != null; next = waiting.poll()) {
      batch.add(next);
    }
    try {
      commit(batch);
    } catch (IOException | RuntimeException | Error e) {
      own.fail(e);
    }
    batch.removeIf(DeleteRequest::isDone);
    leftOver.addAll(batch);
  }

  /** Throws only what comes of an interrupt of this thread; then some are not done. */
  private void commit(List<DeleteRequest> batch) throws IOException {
    List<DeleteRequest> together = new ArrayList<>(batch);
    List<DeleteRequest> apart = new ArrayList<>();
    try {
      options.retries().run(newest.latest(), attempt -> commit(attempt, together, apart));
    } catch (IOException | RuntimeException | Error e) {
      if (isOurOwn(e)) {
        throw e;
      }
      together.forEach(request -> request.fail(e));
    }
    for (DeleteRequest request : apart) {
      commitApart(request);
    }
  }

  /**
   * @param together loses those that are over, and those that have to be committed apart
   * @return the outcome for all that could be done together
   */
  private RowDelete.Outcome commit(
      Retries.Attempt attempt, List<DeleteRequest> together, List<DeleteRequest> apart)
      throws IOException {
    newest = attempt.context();
    ClaimedRows rows = new ClaimedRows();
    List<DeleteRequest> requests = List.copyOf(together);
    together.clear();
    for (DeleteRequest request : requests) {
      if (holds(request)) {
        plan(request, rows);
        together.add(request);
      } else {
        apart.add(request);
      }
    }
    together.removeIf(DeleteRequest::isDone);
    String text =
        together.size() == 1 ? together.get(0).rows().text() : together.size() + " deletes";
    RowDelete.Outcome outcome =
        together.isEmpty()
            ? RowDelete.Outcome.planned(newest.version(), rows.plan(), 0)
            : new RowDelete(newest, options).on(attempt, rows.plan(), text);
    if (outcome.committed().isPresent()) {
      newest = newest.at(outcome.committed().get().file());
      addresses.deleted(newest);
    }
    for (DeleteRequest request : together) {
      request.succeed(outcome, attempt.earlier());
    }
    return outcome;
  }

  /** Whether what it names is the same on the newest version; a failure to tell is its own. */
  private boolean holds(DeleteRequest request) throws IOException {
    try {
      return request.rows().holdsForNewerVersions(newest) || addresses.hold(newest);
    } catch (IOException | RuntimeException | Error e) {
      if (isOurOwn(e)) {
        throw e;
      }
      request.fail(e);
      return true;
    }
  }

  private void plan(DeleteRequest request, ClaimedRows rows) throws IOException {
    if (request.isDone()) {
      return;
    }
    try {
      request.claim(rows.claim(request.rows().find(newest, first)));
    } catch (IOException | RuntimeException | Error e) {
      if (isOurOwn(e)) {
        throw e;
      }
      request.fail(e);
    }
  }

  /** Commits a delete on the last version on which its addresses hold. */
  private void commitApart(DeleteRequest request) throws IOException {
    try {
      request.succeed(
          options
              .retries()
              .runOn(
                  addresses.version(),
                  attempt -> {
                    WriteContext context = attempt.context();
                    DeletePlan plan = DeletePlan.of(request.rows().find(context, first));
                    return new RowDelete(context, options)
                        .on(attempt, plan, request.rows().text())
                        .result(attempt.earlier());
                  }));
    } catch (IOException | RuntimeException | Error e) {
      if (isOurOwn(e)) {
        throw e;
      }
      request.fail(e);
    }
  }

  /** Whether a failure says nothing about the request, since this thread was interrupted. */
  private static boolean isOurOwn(Throwable failure) {
    return isInterrupted() && !(failure instanceof CommitStateUnknownException);
  }

  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }
}
