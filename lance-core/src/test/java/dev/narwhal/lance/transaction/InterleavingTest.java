package dev.narwhal.lance.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.transaction.ModelWriter.Intent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Writers whose phases are interleaved in every possible way, by one thread, against a plain list
 * of values. Whatever the order, each version must be what its writer makes of the version before:
 * nothing is lost and nothing done twice, and who fails says why.
 */
class InterleavingTest {
  private static final List<List<Long>> FRAGMENTS =
      List.of(List.of(0L, 1L, 2L, 3L, 4L), List.of(10L, 11L, 12L));
  private static final List<Long> INITIAL = FRAGMENTS.stream().flatMap(List::stream).toList();

  static Stream<Arguments> pairs() {
    List<Arguments> pairs = new ArrayList<>();
    for (Intent first : Intent.values()) {
      for (Intent second : Intent.values()) {
        if (first.compareTo(second) <= 0) {
          pairs.add(Arguments.of(List.of(first, second)));
        }
      }
    }
    return pairs.stream();
  }

  static Stream<Arguments> triples() {
    List<Arguments> triples = new ArrayList<>();
    for (Intent first : Intent.values()) {
      for (Intent second : Intent.values()) {
        for (Intent third : Intent.values()) {
          if (first.compareTo(second) <= 0 && second.compareTo(third) <= 0) {
            triples.add(Arguments.of(List.of(first, second, third)));
          }
        }
      }
    }
    return triples.stream();
  }

  /** Five steps each, so that the phases after a lost race or a conflict are interleaved too. */
  @ParameterizedTest
  @MethodSource("pairs")
  void everyInterleavingOfTwoIsAsOneAfterTheOther(List<Intent> intents) throws IOException {
    List<int[]> orders = orders(2, 5);
    assertThat(orders).hasSize(252);
    for (int[] order : orders) {
      run(intents, false, order);
    }
    for (int[] order : orders(2, 3)) {
      run(intents, true, order);
    }
  }

  /**
   * The 1,680 orders of three times three phases: with {@code -Dtest.exhaustive=true}, as the soak
   * profile has it, all.
   */
  @ParameterizedTest
  @MethodSource("triples")
  void interleavingsOfThreeAreAsOneAfterTheOther(List<Intent> intents) throws IOException {
    List<int[]> orders = orders(3, 3);
    assertThat(orders).hasSize(1680);
    int stride = Boolean.getBoolean("test.exhaustive") ? 1 : 61;
    for (int i = 0; i < orders.size(); i += stride) {
      run(intents, false, orders.get(i));
      run(intents, true, orders.get(orders.size() - 1 - i));
    }
  }

  /** Every order in which so many writers can do so many steps each. */
  private static List<int[]> orders(int writers, int steps) {
    List<int[]> orders = new ArrayList<>();
    extend(orders, new int[writers * steps], 0, new int[writers], steps);
    return orders;
  }

  private static void extend(List<int[]> orders, int[] order, int at, int[] done, int steps) {
    if (at == order.length) {
      orders.add(order.clone());
      return;
    }
    for (int writer = 0; writer < done.length; writer++) {
      if (done[writer] < steps) {
        done[writer]++;
        order[at] = writer;
        extend(orders, order, at + 1, done, steps);
        done[writer]--;
      }
    }
  }

  /** Steps in the order given, less those of writers that are done; then one after the other. */
  private static void run(List<Intent> intents, boolean strict, int[] order) throws IOException {
    ModelTable table = new ModelTable(new MemoryObjectStore());
    table.create(FRAGMENTS);
    List<ModelWriter> writers = new ArrayList<>();
    for (Intent intent : intents) {
      writers.add(new ModelWriter(table, intent, strict));
    }
    Story story = new Story(table);
    for (int writer : order) {
      story.step(writers.get(writer));
    }
    for (ModelWriter writer : writers) {
      for (int step = 0; !writer.isDone(); step++) {
        assertThat(step).as("%s never ends", story).isLessThan(20);
        story.step(writer);
      }
    }
  }

  /** What happened so far, and what the table must hold by now. */
  private static final class Story {
    private final ModelTable table;
    private final StringBuilder steps = new StringBuilder();
    private List<Long> model = INITIAL;
    private long versions = 1;

    Story(ModelTable table) {
      this.table = table;
    }

    void step(ModelWriter writer) throws IOException {
      if (writer.isDone()) {
        return;
      }
      steps.append(writer.intent()).append(' ');
      writer.step();
      if (writer.failure().isPresent()) {
        assertThat(writer.failure().get())
            .as(toString())
            .isInstanceOf(IncompatibleConflictException.class)
            .hasMessageContaining("lost to Restore");
      } else if (writer.isDone()) {
        finished(writer);
      }
      assertThat(table.latest().manifest().version()).as(toString()).isEqualTo(versions);
    }

    private void finished(ModelWriter writer) throws IOException {
      if (writer.intent().isDelete()) {
        assertThat(writer.deletedRows()).as(toString()).isEqualTo(writer.intent().deleted(model));
      }
      if (writer.committed().isPresent()) {
        assertThat(writer.committed().get().location().version())
            .as(toString())
            .isEqualTo(++versions);
        model = writer.intent().after(model, INITIAL);
      }
      assertThat(table.values(table.latest().manifest()))
          .as(toString())
          .containsExactlyInAnyOrderElementsOf(model);
    }

    @Override
    public String toString() {
      return steps.toString();
    }
  }
}
