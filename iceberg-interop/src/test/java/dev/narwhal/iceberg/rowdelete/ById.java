package dev.narwhal.iceberg.rowdelete;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Matches by the id column; does something else just before the first batch is looked at. */
final class ById implements RowMatcher {
  private final IntPredicate ids;
  private final Runnable first;
  private final AtomicBoolean begun = new AtomicBoolean();

  ById(IntPredicate ids, Runnable first) {
    this.ids = ids;
    this.first = first;
  }

  @Override
  public String text() {
    return "some ids";
  }

  @Override
  public Set<String> columns() {
    return Set.of("id");
  }

  @Override
  public void match(VectorSchemaRoot batch, long[] matches) {
    if (begun.compareAndSet(false, true)) {
      first.run();
    }
    assertThat(batch.getFieldVectors()).hasSize(1);
    BigIntVector id = (BigIntVector) batch.getVector("id");
    for (int row = 0; row < batch.getRowCount(); row++) {
      if (ids.test((int) id.get(row))) {
        matches[row >>> 6] |= 1L << row;
      }
    }
  }
}
