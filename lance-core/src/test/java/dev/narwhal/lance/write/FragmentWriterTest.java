package dev.narwhal.lance.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.LogicalTypes;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.FaultyObjectStore.Fault;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FragmentWriterTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.notNullable("id", new ArrowType.Int(64, true)),
              Field.nullable("twice", new ArrowType.Int(64, true))));
  private static final LanceSchema FIELDS = LogicalTypes.of(SCHEMA);
  private static final FragmentLimits HUNDRED = FragmentLimits.standard().withMaxRows(100);

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @Test
  void filesHoldExactlyTheRowsTheyMay() throws IOException {
    try (FragmentWriter writer = writer(store, HUNDRED)) {
      for (int rows : new int[] {30, 0, 250, 1, 19}) {
        try (VectorSchemaRoot batch = batch(writer.rows(), rows)) {
          writer.write(batch);
        }
      }
      assertThat(writer.rows()).isEqualTo(300);
      List<Fragment> fragments = writer.finish();
      assertThat(fragments).extracting(Fragment::id).containsOnly(0L);
      assertThat(fragments)
          .extracting(fragment -> fragment.physicalRows().orElseThrow())
          .containsExactly(100L, 100L, 100L);
      long bytes = 0;
      long next = 0;
      for (Fragment fragment : fragments) {
        DataFile file = fragment.files().get(0);
        assertThat(file.fields()).containsExactly(0, 1);
        assertThat(file.formatVersion()).isEqualTo("2.1");
        assertThat(file.sizeBytes()).hasValue(store.read("data/" + file.path()).remaining());
        bytes += file.sizeBytes().orElseThrow();
        for (long id : ids(file)) {
          assertThat(id).isEqualTo(next++);
        }
      }
      assertThat(next).isEqualTo(300);
      assertThat(writer.sizeBytes()).isEqualTo(bytes);
    }
  }

  @Test
  void aFileEndsOnceItHasTheBytes() throws IOException {
    FragmentLimits limits = FragmentLimits.standard().withMaxBytes(64 << 10);
    WriterOptions options = WriterOptions.defaults().withPageBytes(16 << 10);
    try (FragmentWriter writer = FragmentWriter.create(store, FIELDS, limits, options)) {
      for (int i = 0; i < 200; i++) {
        try (VectorSchemaRoot batch = batch(Long.MAX_VALUE / 3 * (i % 3) + i, 1000)) {
          writer.write(batch);
        }
      }
      List<Fragment> fragments = writer.finish();
      assertThat(fragments).hasSizeGreaterThan(3);
      assertThat(fragments.stream().mapToLong(f -> f.physicalRows().orElseThrow()).sum())
          .isEqualTo(200_000);
      for (Fragment fragment : fragments.subList(0, fragments.size() - 1)) {
        assertThat(fragment.files().get(0).sizeBytes().orElseThrow())
            .isBetween(64L << 10, (64L << 10) + 5 * (16 << 10));
      }
    }
  }

  @Test
  void withoutRowsThereIsNoFile() throws IOException {
    try (FragmentWriter writer = writer(store, HUNDRED);
        VectorSchemaRoot empty = batch(0, 0)) {
      writer.write(empty);
      assertThat(writer.finish()).isEmpty();
      writer.keep();
    }
    assertThat(store.list("data")).isEmpty();
  }

  @Test
  void partOfABatchCanBeWritten() throws IOException {
    try (FragmentWriter writer = writer(store, HUNDRED);
        VectorSchemaRoot batch = batch(0, 500)) {
      writer.write(batch, RowSource.of(batch).dictionaries(), 450, 460);
      writer.write(batch, RowSource.of(batch).dictionaries(), 3, 5);
      DataFile file = writer.finish().get(0).files().get(0);
      assertThat(ids(file))
          .containsExactly(450L, 451L, 452L, 453L, 454L, 455L, 456L, 457L, 458L, 459L, 3L, 4L);
    }
  }

  @Test
  void filesThatNobodyKeepsAreRemoved() throws IOException {
    try (FragmentWriter writer = writer(store, HUNDRED);
        VectorSchemaRoot batch = batch(0, 250)) {
      writer.write(batch);
      assertThat(store.list("data")).hasSize(2);
      assertThat(writer.finish()).hasSize(3);
      assertThat(store.list("data")).hasSize(3);
    }
    assertThat(store.list("data")).isEmpty();
  }

  @Test
  void keptFilesStay() throws IOException {
    try (FragmentWriter writer = writer(store, HUNDRED);
        VectorSchemaRoot batch = batch(0, 250)) {
      writer.write(batch);
      assertThatIllegalStateException().isThrownBy(writer::keep);
      writer.finish();
      writer.keep();
      assertThatIllegalStateException().isThrownBy(() -> writer.write(batch));
    }
    assertThat(store.list("data")).hasSize(3);
  }

  @Test
  void filesOfACommitOfUnknownOutcomeStay() throws IOException {
    try (FragmentWriter writer = writer(store, HUNDRED);
        VectorSchemaRoot batch = batch(0, 10)) {
      writer.write(batch);
      writer.finish();
      assertThatExceptionOfType(CommitStateUnknownException.class)
          .isThrownBy(
              () ->
                  writer.commit(
                      () -> {
                        throw new CommitStateUnknownException("lost", new IOException());
                      }));
    }
    assertThat(store.list("data")).hasSize(1);
  }

  @Test
  void filesOfACommitThatBrokeDownStay() throws IOException {
    try (FragmentWriter writer = writer(store, HUNDRED);
        VectorSchemaRoot batch = batch(0, 10)) {
      writer.write(batch);
      writer.finish();
      assertThatExceptionOfType(StackOverflowError.class)
          .isThrownBy(
              () ->
                  writer.commit(
                      () -> {
                        throw new StackOverflowError("after the version was there");
                      }));
    }
    assertThat(store.list("data")).hasSize(1);
  }

  @Test
  void filesOfARefusedCommitAreRemoved() throws IOException {
    try (FragmentWriter writer = writer(store, HUNDRED);
        VectorSchemaRoot batch = batch(0, 10)) {
      writer.write(batch);
      writer.finish();
      assertThatExceptionOfType(RetryableConflictException.class)
          .isThrownBy(
              () ->
                  writer.commit(
                      () -> {
                        throw new RetryableConflictException("others");
                      }));
    }
    assertThat(store.list("data")).isEmpty();
  }

  @Test
  void aNullWhereTheFieldHasNoneLeavesNothing() throws IOException {
    try (FragmentWriter writer = writer(store, HUNDRED);
        VectorSchemaRoot batch = batch(0, 250)) {
      ((BigIntVector) batch.getVector("id")).setNull(230);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> writer.write(batch))
          .withMessageContaining("id")
          .withMessageContaining("null");
    }
    assertThat(store.list("data")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"FAIL", "LOSE_REPLY", "FULL"})
  void aFailureAtAnyCallLeavesNoFile(Fault fault, @TempDir Path folder) throws IOException {
    int n = 1;
    while (true) {
      ObjectStore local = LocalObjectStore.at(folder.resolve(fault.name() + n));
      FaultyObjectStore faulty = new FaultyObjectStore(local, fault, n);
      boolean failed = false;
      int made = 0;
      try (VectorSchemaRoot batch = batch(0, 250);
          FragmentWriter writer = writer(faulty, HUNDRED)) {
        writer.write(batch);
        made = writer.finish().size();
        writer.keep();
      } catch (IOException e) {
        failed = true;
      }
      // whoever makes the temporary file and loses the reply cannot know of it
      List<String> files =
          local.list("data").stream().filter(name -> !name.startsWith(".tmp")).toList();
      assertThat(files).as("call %d", n).hasSize(failed ? 0 : made);
      if (!failed) {
        assertThat(n).isGreaterThan(6);
        return;
      }
      n++;
    }
  }

  @Test
  void namesLookLikeThoseOfRealLance() {
    assertThat(DataFileNames.of(UUID.fromString("a5000100-0203-4405-8607-08090a0b0c0d")))
        .isEqualTo("101001010000000000000001" + "00020344058607" + "08090a0b0c0d" + ".lance");
    assertThat(DataFileNames.random()).matches("[01]{24}[0-9a-f]{26}\\.lance");
    assertThat(DataFileNames.random()).isNotEqualTo(DataFileNames.random());
  }

  private static FragmentWriter writer(ObjectStore to, FragmentLimits limits) {
    return FragmentWriter.create(to, FIELDS, limits, WriterOptions.defaults());
  }

  private VectorSchemaRoot batch(long first, int rows) {
    VectorSchemaRoot batch = VectorSchemaRoot.create(SCHEMA, allocator);
    batch.allocateNew();
    for (int i = 0; i < rows; i++) {
      ((BigIntVector) batch.getVector("id")).setSafe(i, first + i);
      if (i % 7 != 0) {
        ((BigIntVector) batch.getVector("twice")).setSafe(i, 2 * (first + i));
      }
    }
    batch.setRowCount(rows);
    return batch;
  }

  private List<Long> ids(DataFile file) throws IOException {
    List<Long> ids = new ArrayList<>();
    try (LanceFile open = LanceFile.open(store, "data/" + file.path());
        FieldVector vector =
            open.column(open.schema().topLevel().get(0)).read(0, (int) open.rows(), allocator)) {
      for (int i = 0; i < vector.getValueCount(); i++) {
        ids.add(((BigIntVector) vector).get(i));
      }
    }
    return ids;
  }
}
