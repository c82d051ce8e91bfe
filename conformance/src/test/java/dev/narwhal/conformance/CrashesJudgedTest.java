package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.conformance.Fixtures.LanceFixture;
import dev.narwhal.conformance.StoppingStore.When;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.cleanup.CleanupOptions;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.write.RowSelection;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.merge.WhenMatched;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The process dies at every write of every operation; real Lance then opens what is left: the old
 * version or the new one, whole, and goes on writing.
 */
class CrashesJudgedTest {
  private static final UnknownFields NONE = UnknownFields.none();

  @TempDir Path folder;

  /** What is done to the table; another commit may come between opening and doing it. */
  private enum Work {
    DELETE {
      @Override
      void run(Dataset dataset) throws IOException {
        dataset.delete("id % 7 = 3");
      }
    },
    DELETE_NAMED_ROWS {
      @Override
      void run(Dataset dataset) throws IOException {
        dataset.deleteRows(RowSelection.offsets(Map.of(0L, new long[] {30, 31})));
      }
    },
    DELETE_WHOLE_FRAGMENTS {
      @Override
      void run(Dataset dataset) throws IOException {
        dataset.delete("id < 100 OR id = 150");
      }
    },
    DELETE_ALL {
      @Override
      void run(Dataset dataset) throws IOException {
        dataset.delete("true");
      }
    },
    REBASED_DELETE {
      @Override
      void meanwhile(Path table, BufferAllocator allocator) throws IOException {
        Dataset.open(table.toString(), allocator).delete("id IN (40, 140, 240)");
      }

      @Override
      void run(Dataset dataset) throws IOException {
        dataset.delete("id IN (40, 41, 141)");
      }
    },
    UPDATE {
      @Override
      void run(Dataset dataset) throws IOException {
        dataset.update().where("id % 7 = 3 OR id < 100").set("id", "id + 1000").execute();
      }
    },
    REBASED_UPDATE {
      @Override
      void meanwhile(Path table, BufferAllocator allocator) throws IOException {
        Dataset.open(table.toString(), allocator).delete("id IN (40, 140, 240)");
      }

      @Override
      void run(Dataset dataset) throws IOException {
        dataset.update().where("id IN (41, 141)").set("id", "id + 1000").execute();
      }
    },
    REWRITE_COLUMNS {
      @Override
      void run(Dataset dataset) throws IOException {
        dataset.rewriteColumns().where("id % 7 = 3").set("id", "id + 1000").execute();
      }
    },
    APPEND {
      @Override
      void run(Dataset dataset) throws IOException {
        Fragment rows = dataset.fragments().get(0).withoutDeletionFile().withId(0);
        dataset.commit().commit(new Operation.Append(List.of(rows), NONE));
      }
    },
    APPEND_ROWS {
      @Override
      void run(Dataset dataset) throws IOException {
        withRows(dataset, rows -> dataset.insert().append(rows));
      }
    },
    OVERWRITE_ROWS {
      @Override
      void run(Dataset dataset) throws IOException {
        withRows(dataset, rows -> dataset.insert().overwrite(rows));
      }
    },
    MERGE_INSERT {
      @Override
      void run(Dataset dataset) throws IOException {
        withRows(
            dataset,
            rows -> dataset.mergeInsert("id").whenMatched(WhenMatched.updateAll()).execute(rows));
      }
    },
    ADD_COLUMN {
      @Override
      void run(Dataset dataset) throws IOException {
        dataset.addColumns().computed("twice", "id * 2");
      }
    },
    REWRITE {
      @Override
      void run(Dataset dataset) throws IOException {
        Fragment old = dataset.fragments().get(1);
        Operation.RewriteGroup group =
            new Operation.RewriteGroup(
                List.of(old), List.of(old.withoutDeletionFile().withId(0)), NONE);
        dataset.commit().commit(new Operation.Rewrite(List.of(group), List.of(), NONE));
      }
    },
    UPDATE_BASES {
      @Override
      void run(Dataset dataset) throws IOException {
        dataset
            .change()
            .addBases(List.of(new BasePath(0, Optional.of("elsewhere"), false, "/mnt/x", NONE)));
      }
    },
    CLEAN_UP {
      @Override
      int writes() {
        return 1;
      }

      @Override
      void run(Dataset dataset) throws IOException {
        dataset.cleanup(CleanupOptions.olderThan(Duration.ZERO));
      }
    },
    RENAME_COLUMN {
      @Override
      void run(Dataset dataset) throws IOException {
        List<String> columns = dataset.columnNames();
        dataset.change().renameColumn(columns.get(columns.size() - 1), "renamed");
      }
    },
    DROP_COLUMN {
      @Override
      void run(Dataset dataset) throws IOException {
        List<String> columns = dataset.columnNames();
        dataset.change().dropColumns(columns.subList(1, columns.size()));
      }
    },
    TAG {
      @Override
      int writes() {
        return 1;
      }

      @Override
      void run(Dataset dataset) throws IOException {
        dataset.tags().create("kept", VersionSelector.version(1));
      }
    },
    BRANCH {
      @Override
      void run(Dataset dataset) throws IOException {
        dataset.branches().create("line", VersionSelector.version(1));
      }
    },
    RESTORE {
      @Override
      void run(Dataset dataset) throws IOException {
        dataset.commit().commit(new Operation.Restore(1, NONE));
      }
    },
    CONFIG {
      @Override
      void run(Dataset dataset) throws IOException {
        Operation.UpdateMap map =
            new Operation.UpdateMap(
                List.of(new Operation.UpdateMap.Entry("k", Optional.of("v"))), false);
        dataset
            .commit()
            .commit(
                new Operation.UpdateConfig(
                    Map.of(),
                    List.of(),
                    Map.of(),
                    Map.of(),
                    Optional.of(map),
                    Optional.empty(),
                    Optional.empty(),
                    Map.of(),
                    NONE));
      }
    };

    void meanwhile(Path table, BufferAllocator allocator) throws IOException {}

    /** What is done with rows. */
    interface Taking {
      void take(RowSource rows) throws IOException;
    }

    /** Rows of which the table has two, by their ids. */
    static void withRows(Dataset dataset, Taking taking) throws IOException {
      try (BufferAllocator allocator = new RootAllocator();
          VectorSchemaRoot rows = VectorSchemaRoot.create(dataset.arrowSchema(), allocator)) {
        rows.allocateNew();
        long[] ids = {41, 60, 100_000};
        for (int i = 0; i < ids.length; i++) {
          ((BigIntVector) rows.getVector("id")).setSafe(i, ids[i]);
        }
        rows.setRowCount(ids.length);
        taking.take(RowSource.of(rows));
      }
    }

    /** At least so many. */
    int writes() {
      return 3;
    }

    abstract void run(Dataset dataset) throws IOException;
  }

  static Stream<Arguments> crashes() {
    return Arrays.stream(Work.values())
        .flatMap(work -> Arrays.stream(When.values()).map(when -> Arguments.of(work, when)));
  }

  @ParameterizedTest(name = "{0}, {1} each write")
  @MethodSource("crashes")
  void realLanceFindsTheOldVersionOrTheNewOne(Work work, When when) throws IOException {
    LanceFixture fixture = Fixtures.lanceDataset("del-sparse");
    Path done = fixture.copyInto(folder.resolve("done"));
    int writes = run(work, done, when, 0);
    assertThat(writes).isGreaterThanOrEqualTo(work.writes());
    LanceJudge.Verdict after = LanceJudge.judge(done);
    LanceJudge.Verdict before = LanceJudge.judge(tableFor(work, fixture, "before"));
    for (int fatal = 1; fatal <= writes; fatal++) {
      String label = work + " dies " + when + " write " + fatal;
      Path table = tableFor(work, fixture, "at" + fatal);
      run(work, table, when, fatal);
      LanceJudge.Verdict found = LanceJudge.judge(table);
      LanceJudge.Verdict expected = found.version() == after.version() ? after : before;
      assertThat(found.version()).as(label).isEqualTo(expected.version());
      assertThat(found.rows()).as(label).isEqualTo(expected.rows());
      assertThat(found.count()).as(label).isEqualTo(expected.count());
      assertThat(OurRows.of(table)).as(label).isEqualTo(found.rows());
      try (LanceJudge judge = LanceJudge.open(table);
          BufferAllocator allocator = new RootAllocator()) {
        assertThat(judge.dataset().tags().list())
            .as(label)
            .hasSize(Dataset.open(table.toString(), allocator).references().tags().size());
        assertThat(judge.dataset().branches().list())
            .as(label)
            .hasSize(Dataset.open(table.toString(), allocator).references().branches().size());
        assertThat(judge.delete("id = 60")).as(label).isEqualTo(found.version() + 1);
        Dataset ours = Dataset.open(table.toString(), allocator);
        assertThat(ours.delete("true").deletedRows()).as(label).isEqualTo(judge.countRows());
      }
    }
  }

  /** A copy to which others have committed what they commit meanwhile. */
  private Path tableFor(Work work, LanceFixture fixture, String name) throws IOException {
    Path table = fixture.copyInto(folder.resolve(name));
    try (BufferAllocator allocator = new RootAllocator()) {
      work.meanwhile(table, allocator);
    }
    return table;
  }

  /** Returns the number of writes until the end, or the death, which must come if it is to. */
  private static int run(Work work, Path table, When when, int fatal) throws IOException {
    StoppingStore store = new StoppingStore(LocalObjectStore.at(table), when, fatal);
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset =
          Dataset.open(table.toString(), VersionSelector.version(2), place -> store, allocator);
      if (fatal == 0) {
        work.meanwhile(table, allocator);
      }
      work.run(dataset);
      assertThat(fatal).as("it was to die").isZero();
    } catch (StoppingStore.Stopped e) {
      assertThat(store.writes()).isEqualTo(fatal);
    }
    return store.writes();
  }
}
