package dev.narwhal.conformance;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.merge.MergeInsert;
import dev.narwhal.lance.write.merge.MergeOptions;
import dev.narwhal.lance.write.merge.MergeResult;
import dev.narwhal.lance.write.merge.WhenMatched;
import dev.narwhal.lance.write.merge.WhenNotMatched;
import dev.narwhal.lance.write.merge.WhenNotMatchedBySource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.merge.MergeInsertParams;
import org.lance.merge.MergeInsertResult;
import org.lance.merge.MergeInsertStats;

/** One merge insert, to be done by Narwhal and by real Lance. */
record MergeCase(
    List<String> on,
    WhenMatched matched,
    WhenNotMatched notMatched,
    WhenNotMatchedBySource notMatchedBySource) {

  /** What a merge came to. */
  record Counts(long inserted, long updated, long deleted) {}

  /** Fills the source's vectors and sets the number of rows. */
  @FunctionalInterface
  interface Filler {
    void fill(VectorSchemaRoot batch);
  }

  /** Has Narwhal do it. */
  MergeResult byUs(Path table, Schema source, Filler filler, MergeOptions options)
      throws IOException {
    return byUs(table, source, filler, merge -> merge.withOptions(options));
  }

  /** Has Narwhal do it with the updated rows where they are. */
  MergeResult inPlaceByUs(Path table, Schema source, Filler filler) throws IOException {
    return byUs(table, source, filler, MergeInsert::inPlace);
  }

  private MergeResult byUs(
      Path table, Schema source, Filler filler, UnaryOperator<MergeInsert> manner)
      throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch = VectorSchemaRoot.create(source, allocator)) {
      filler.fill(batch);
      MergeInsert merge =
          Dataset.open(table.toString(), allocator)
              .mergeInsert(on.toArray(String[]::new))
              .whenMatched(matched)
              .whenNotMatched(notMatched)
              .whenNotMatchedBySource(notMatchedBySource);
      return manner.apply(merge).execute(RowSource.of(batch));
    }
  }

  /**
   * Has real Lance do it. 7.0.0 fails to plan a merge that deletes what is matched and what is not
   * matched by the source, and inserts nothing: then it does one after the other.
   */
  Counts byThem(Path table, Schema source, Filler filler) throws IOException {
    boolean deletes = !(notMatchedBySource instanceof WhenNotMatchedBySource.Keep);
    if (matched instanceof WhenMatched.Delete
        && notMatched == WhenNotMatched.DO_NOTHING
        && deletes) {
      Counts first =
          new MergeCase(on, WhenMatched.doNothing(), notMatched, notMatchedBySource)
              .byThem(table, source, filler);
      Counts second =
          new MergeCase(on, matched, notMatched, WhenNotMatchedBySource.keep())
              .byThem(table, source, filler);
      return new Counts(0, 0, first.deleted() + second.deleted());
    }
    try (LanceJudge judge = LanceJudge.open(table);
        BufferAllocator allocator = new RootAllocator();
        ArrowReader reader = new OneBatch(allocator, source, filler);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(allocator, reader, stream);
      MergeInsertResult result = judge.dataset().mergeInsert(params(), stream);
      result.dataset().close();
      MergeInsertStats stats = result.stats();
      return new Counts(stats.numInsertedRows(), stats.numUpdatedRows(), stats.numDeletedRows());
    }
  }

  private MergeInsertParams params() {
    MergeInsertParams params = new MergeInsertParams(on);
    if (matched instanceof WhenMatched.UpdateIf update) {
      params.withMatchedUpdateIf(update.condition());
    } else if (matched instanceof WhenMatched.UpdateAll) {
      params.withMatchedUpdateAll();
    } else if (matched instanceof WhenMatched.Fail) {
      params.withMatchedFail();
    } else if (matched instanceof WhenMatched.Delete) {
      params.withMatchedDelete();
    } else {
      params.withMatchedDoNothing();
    }
    params.withNotMatched(
        switch (notMatched) {
          case INSERT -> MergeInsertParams.WhenNotMatched.InsertAll;
          case DO_NOTHING -> MergeInsertParams.WhenNotMatched.DoNothing;
        });
    if (notMatchedBySource instanceof WhenNotMatchedBySource.DeleteIf delete) {
      params.withNotMatchedBySourceDeleteIf(delete.predicate());
    } else if (notMatchedBySource instanceof WhenNotMatchedBySource.Delete) {
      params.withNotMatchedBySourceDelete();
    } else {
      params.withNotMatchedBySourceKeep();
    }
    return params;
  }

  /** A stream of one batch that is built when it is asked for. */
  private static final class OneBatch extends ArrowReader {
    private final Schema schema;
    private final Filler filler;
    private boolean read;

    OneBatch(BufferAllocator allocator, Schema schema, Filler filler) {
      super(allocator);
      this.schema = schema;
      this.filler = filler;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
      if (read) {
        return false;
      }
      prepareLoadNextBatch();
      filler.fill(getVectorSchemaRoot());
      read = true;
      return true;
    }

    @Override
    public long bytesRead() {
      return 0;
    }

    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
      return schema;
    }
  }
}
