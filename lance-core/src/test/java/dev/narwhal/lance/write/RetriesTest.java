package dev.narwhal.lance.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.error.CommitConflict;
import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.ForwardingObjectStore;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Pacing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RetriesTest {
  private static final CommitConflict CONFLICT =
      new CommitConflict("Delete", 2, "Update", 3, List.of());

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store;
  private final WriteContext context;
  private final List<Long> limits = new ArrayList<>();
  private final Pacing noting = (failures, firstMillis, limitMillis) -> limits.add(limitMillis);

  RetriesTest() throws IOException {
    store = LanceFixture.named("del-sparse").copy();
    context = on(store);
  }

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  @Test
  void eachAttemptWorksOnTheNewestVersionThereIs() throws IOException {
    List<Long> versions = new ArrayList<>();
    int earlier =
        retries(5, Duration.ofHours(1))
            .run(
                context,
                attempt -> {
                  versions.add(attempt.context().version());
                  reserve(store);
                  if (versions.size() < 4) {
                    throw new RetryableConflictException("memory:x", CONFLICT);
                  }
                  return attempt.earlier();
                });
    assertThat(earlier).isEqualTo(3);
    assertThat(versions).containsExactly(2L, 3L, 4L, 5L);
  }

  @Test
  void theFirstAttemptHasAllTimeAndLaterOnesWhatIsLeft() throws IOException {
    List<Duration> left = new ArrayList<>();
    Duration timeout = Duration.ofHours(1);
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(
            () ->
                retries(3, timeout)
                    .run(
                        context,
                        attempt -> {
                          left.add(attempt.bound(CommitOptions.standard()).timeout());
                          throw new RetryableConflictException("memory:x", CONFLICT);
                        }));
    assertThat(left).hasSize(4);
    assertThat(left.get(0)).isEqualTo(CommitOptions.NO_TIMEOUT);
    assertThat(left.subList(1, 4))
        .allSatisfy(each -> assertThat(each).isPositive().isLessThanOrEqualTo(timeout));
    assertThat(limits)
        .hasSize(3)
        .allSatisfy(each -> assertThat(each).isBetween(1L, timeout.toMillis()));
  }

  @Test
  void boundsNeverLengthenWhatTheOptionsSay() throws IOException {
    CommitOptions brief = CommitOptions.standard().withTimeout(Duration.ofMillis(7));
    CommitOptions bound = Retries.standard().run(context, attempt -> attempt.bound(brief));
    assertThat(bound).isEqualTo(brief);
  }

  @Test
  void noAttemptIsBegunAfterTheTimeout() {
    int[] attempts = {0};
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(
            () ->
                retries(5, Duration.ZERO)
                    .run(
                        context,
                        attempt -> {
                          attempts[0]++;
                          throw new RetryableConflictException("memory:x", CONFLICT);
                        }));
    assertThat(attempts[0]).isEqualTo(1);
    assertThat(limits).isEmpty();
  }

  @Test
  void workOnOneVersionGoesOnAfterALostRaceAndEndsWithAConflict() {
    List<Long> versions = new ArrayList<>();
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(
            () ->
                retries(5, Duration.ofHours(1))
                    .runOn(
                        context,
                        attempt -> {
                          versions.add(attempt.context().version());
                          reserve(store);
                          if (versions.size() < 3) {
                            throw new RetryableConflictException("lost the race");
                          }
                          throw new RetryableConflictException("memory:x", CONFLICT);
                        }))
        .satisfies(e -> assertThat(e.conflict()).contains(CONFLICT));
    assertThat(versions).containsExactly(2L, 2L, 2L);
  }

  @Test
  void otherFailuresEndItAtOnce() {
    for (RuntimeException failure :
        List.of(
            new IncompatibleConflictException("memory:x", CONFLICT),
            new IllegalArgumentException("no"))) {
      int[] attempts = {0};
      assertThatExceptionOfType(failure.getClass())
          .isThrownBy(
              () ->
                  Retries.standard()
                      .run(
                          context,
                          attempt -> {
                            attempts[0]++;
                            throw failure;
                          }));
      assertThat(attempts[0]).isEqualTo(1);
    }
  }

  /** Each put comes second: the commit may go on for ever, but for its timeout. */
  @Test
  void theTimeoutOfACommitEndsItsAttempts() throws IOException {
    int[] puts = {0};
    ObjectStore busy =
        new ForwardingObjectStore(store) {
          @Override
          public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
            puts[0]++;
            reserve(store);
            return super.putIfAbsent(path, bytes);
          }
        };
    CommitOptions options = CommitOptions.standard().withAttempts(9).withPacing(noting);
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(() -> reserve(busy, options.withTimeout(Duration.ZERO)))
        .withMessageContaining("in each of 1 attempt;");
    assertThat(puts[0]).isEqualTo(1);
    assertThat(limits).isEmpty();
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(() -> reserve(busy, options.withTimeout(Duration.ofHours(1))))
        .withMessageContaining("in each of 9 attempts;");
    assertThat(limits)
        .hasSize(8)
        .allSatisfy(each -> assertThat(each).isBetween(1L, Duration.ofHours(1).toMillis()));
  }

  @Test
  void impossibleNumbersAreRefused() {
    Pacing none = Pacing.none();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Retries(-1, Duration.ZERO, none))
        .withMessageContaining("retries must be at least 0: -1");
    for (Duration timeout : List.of(Duration.ofMillis(-1), Duration.ofSeconds(Long.MAX_VALUE))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Retries(1, timeout, none))
          .withMessageContaining("timeout must");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CommitOptions.standard().withTimeout(timeout))
          .withMessageContaining("timeout must");
    }
  }

  private Retries retries(int retries, Duration timeout) {
    return new Retries(retries, timeout, noting);
  }

  private void reserve(ObjectStore where) throws IOException {
    reserve(where, CommitOptions.standard().withPacing(Pacing.none()));
  }

  private void reserve(ObjectStore where, CommitOptions options) throws IOException {
    new CommitBuilder(on(where))
        .withOptions(options)
        .commit(new Operation.ReserveFragments(1, UnknownFields.none()));
  }

  private WriteContext on(ObjectStore where) throws IOException {
    return WriteContext.of(where, Stores.local(), new ManifestStore(where).readLatest(), allocator);
  }
}
