package dev.narwhal.lance.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OrderedTasksTest {
  private final List<String> discarded = new ArrayList<>();

  @Test
  void resultsComeInTheOrderOfTheTasks() throws IOException {
    List<Callable<String>> tasks = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String name = "task " + i;
      tasks.add(() -> name);
      expected.add(name);
    }
    List<String> taken = new ArrayList<>();
    try (OrderedTasks<String> ordered = new OrderedTasks<>(tasks.iterator(), 3, discarded::add)) {
      Optional<String> result = ordered.next();
      while (result.isPresent()) {
        taken.add(result.get());
        result = ordered.next();
      }
    }
    assertThat(taken).isEqualTo(expected);
    assertThat(discarded).isEmpty();
  }

  @Test
  void nothingIsReadAfterClose() {
    List<Callable<String>> tasks = List.of(() -> "a", () -> "b");
    OrderedTasks<String> ordered = new OrderedTasks<>(tasks.iterator(), 1, discarded::add);
    ordered.close();
    assertThatThrownBy(ordered::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void closeWaitsForARunningTaskAndDiscardsWhatItMakes() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    List<Callable<String>> tasks =
        List.of(
            () -> "taken",
            () -> {
              started.countDown();
              release.await();
              return "running";
            });
    OrderedTasks<String> ordered = new OrderedTasks<>(tasks.iterator(), 1, discarded::add);
    assertThat(ordered.next()).contains("taken");
    started.await();
    Thread closer = new Thread(ordered::close);
    closer.start();
    while (closer.getState() != Thread.State.WAITING
        && closer.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
    release.countDown();
    closer.join();
    assertThat(discarded).containsExactly("running");
  }
}
