package dev.narwhal.conformance;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.DataFormat;
import dev.narwhal.lance.manifest.FeatureFlags;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestNaming;
import dev.narwhal.lance.manifest.WriterVersion;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.write.RowSelection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Commits on tables of more and more fragments, on a local disk: the percentiles of a delete of one
 * row by its address, and of a change of the configuration beside the same by real Lance. Of the
 * table only the manifest is real. The sizes of the last manifest and transaction are printed.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 3)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-Darrow.allocation.manager.type=Unsafe",
      "-Xmx1g"
    })
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class CommitBenchmark {
  private static final long ROWS = 1L << 20;

  @Param({"1", "1000", "100000"})
  public int fragments;

  private Path folder;
  private BufferAllocator allocator;
  private Dataset ours;
  private LanceJudge theirs;
  private long call;

  @Setup(Level.Iteration)
  public void write() throws IOException {
    folder = Files.createTempDirectory("narwhal-bench");
    ByteBuffer manifest = ManifestCodec.encode(ManifestFile.of(manifest(), List.of()));
    LocalObjectStore.at(folder).put(new ManifestLocation(1, ManifestNaming.V2).path(), manifest);
    allocator = new RootAllocator();
    ours = Dataset.open(folder.toString(), allocator);
    theirs = LanceJudge.open(folder);
    call = 0;
  }

  @TearDown(Level.Iteration)
  public void remove() throws IOException {
    theirs.close();
    Dataset last = Dataset.open(folder.toString(), allocator);
    System.out.println(
        "version "
            + last.version()
            + ": manifest of "
            + Files.size(folder.resolve(last.location().path()))
            + " bytes, transaction of "
            + Files.size(
                folder
                    .resolve("_transactions")
                    .resolve(last.manifest().transactionFile().orElseThrow()))
            + " bytes");
    allocator.close();
    BenchmarkFiles.remove(folder);
  }

  @Benchmark
  public long oursDeletesARow() throws IOException {
    long fragment = call % fragments;
    long offset = call++ / fragments;
    ours.deleteRows(RowSelection.addresses(fragment << 32 | offset));
    ours = ours.latest();
    return ours.version();
  }

  @Benchmark
  public long oursChangesTheConfig() throws IOException {
    ours.commit().commit(Configs.set("k", Long.toString(call++)));
    ours = ours.latest();
    return ours.version();
  }

  @Benchmark
  public long theirsChangesTheConfig() {
    theirs.setConfig("k", Long.toString(call++));
    theirs.dataset().checkoutLatest();
    return theirs.version();
  }

  private Manifest manifest() {
    UnknownFields none = UnknownFields.none();
    List<Fragment> all = new ArrayList<>(fragments);
    for (int i = 0; i < fragments; i++) {
      String name = String.format("%024d%026x.lance", 0, i);
      DataFile file =
          new DataFile(
              name,
              List.of(0),
              List.of(0),
              2,
              1,
              OptionalLong.of(8 * ROWS),
              OptionalInt.empty(),
              none);
      all.add(
          new Fragment(
              i,
              List.of(file),
              Optional.empty(),
              OptionalLong.of(ROWS),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              none));
    }
    LanceField id = new LanceField(0, -1, "id", "int64", false, Map.of(), none);
    return new Manifest(
        1,
        new LanceSchema(List.of(id), Map.of()),
        all,
        Instant.EPOCH,
        Optional.empty(),
        FeatureFlags.NONE,
        OptionalLong.of(fragments - 1L),
        Optional.empty(),
        Optional.of(WriterVersion.NARWHAL),
        0,
        new DataFormat(DataFormat.LANCE, "2.1"),
        Map.of(),
        Map.of(),
        List.of(),
        Optional.empty(),
        none);
  }
}
