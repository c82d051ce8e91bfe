package dev.narwhal.lance.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.ForwardingObjectStore;
import dev.narwhal.lance.write.insert.NewDataset;
import dev.narwhal.lance.write.merge.WhenMatched;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A write that breaks down right after its version is there, for want of memory or stack, leaves
 * that version its files.
 */
class BrokenCommitsTest {
  private static final Field ID = Field.nullable("id", new ArrowType.Int(64, true));
  private static final Field N = Field.nullable("n", new ArrowType.Int(64, true));
  private static final Schema SCHEMA = new Schema(List.of(ID, N));

  private enum Work {
    DELETE {
      @Override
      void run(Dataset dataset, RowSource rows) throws IOException {
        dataset.delete("id = 1");
      }
    },
    APPEND {
      @Override
      void run(Dataset dataset, RowSource rows) throws IOException {
        dataset.insert().append(rows);
      }
    },
    OVERWRITE {
      @Override
      void run(Dataset dataset, RowSource rows) throws IOException {
        dataset.insert().overwrite(rows);
      }
    },
    UPDATE {
      @Override
      void run(Dataset dataset, RowSource rows) throws IOException {
        dataset.update().where("id < 2").set("n", "n + 1").execute();
      }
    },
    REWRITE_COLUMNS {
      @Override
      void run(Dataset dataset, RowSource rows) throws IOException {
        dataset.rewriteColumns().where("id < 2").set("n", "n + 1").execute();
      }
    },
    ADD_COLUMN {
      @Override
      void run(Dataset dataset, RowSource rows) throws IOException {
        dataset.addColumns().computed("twice", "n * 2");
      }
    },
    MERGE {
      @Override
      void run(Dataset dataset, RowSource rows) throws IOException {
        dataset.mergeInsert("id").whenMatched(WhenMatched.updateAll()).execute(rows);
      }
    },
    MERGE_IN_PLACE {
      @Override
      void run(Dataset dataset, RowSource rows) throws IOException {
        dataset.mergeInsert("id").whenMatched(WhenMatched.updateAll()).inPlace().execute(rows);
      }
    };

    abstract void run(Dataset dataset, RowSource rows) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void theVersionKeepsItsFiles(Work work) throws IOException {
    MemoryObjectStore store = new MemoryObjectStore();
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot rows = VectorSchemaRoot.create(SCHEMA, allocator)) {
      for (int i = 0; i < 5; i++) {
        ((BigIntVector) rows.getVector("id")).setSafe(i, i);
        ((BigIntVector) rows.getVector("n")).setSafe(i, 10L * i);
      }
      rows.setRowCount(5);
      new NewDataset(store).write(RowSource.of(rows));
      ObjectStore breaking =
          new ForwardingObjectStore(store) {
            @Override
            public void put(String path, ByteBuffer bytes) throws IOException {
              super.put(path, bytes);
              if (path.endsWith("hint.json")) {
                throw new StackOverflowError("after the version was there");
              }
            }
          };
      assertThatExceptionOfType(StackOverflowError.class)
          .isThrownBy(() -> work.run(open(breaking, allocator), RowSource.of(rows)));
      Dataset dataset = open(store, allocator);
      assertThat(dataset.version()).isEqualTo(2);
      long read = 0;
      try (BatchReader reader = dataset.read()) {
        while (reader.next()) {
          read += reader.batch().getRowCount();
        }
      }
      assertThat(read).isEqualTo(dataset.countRows());
    }
  }

  private static Dataset open(ObjectStore store, BufferAllocator allocator) throws IOException {
    return Dataset.open("memory", VersionSelector.latest(), place -> store, allocator);
  }
}
