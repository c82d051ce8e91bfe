package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.schema.FieldTree;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Whether batches fit the schema. Whether there are nulls is not looked at here. */
final class BatchCheck {
  private final List<FieldTree> trees;

  BatchCheck(List<FieldTree> trees) {
    this.trees = List.copyOf(trees);
  }

  /**
   * The vectors of the fields, in schema order.
   *
   * @throws IllegalArgumentException that says which field does not fit, and how
   */
  List<FieldVector> vectors(VectorSchemaRoot batch) {
    List<FieldVector> vectors = new ArrayList<>(trees.size());
    for (FieldTree tree : trees) {
      String name = tree.field().name();
      FieldVector vector = batch.getVector(name);
      if (vector == null) {
        throw new IllegalArgumentException(
            "column '" + name + "' of the schema is not in the batch");
      }
      if (vector.getValueCount() != batch.getRowCount()) {
        throw new IllegalArgumentException(
            "column '%s': %d values in a batch of %d rows"
                .formatted(name, vector.getValueCount(), batch.getRowCount()));
      }
      FieldFit.require(name, tree, vector.getField());
      vectors.add(vector);
    }
    if (batch.getFieldVectors().size() != trees.size()) {
      throw new IllegalArgumentException(
          "the batch has columns %s, the schema %s"
              .formatted(
                  batch.getFieldVectors().stream().map(FieldVector::getName).toList(),
                  trees.stream().map(tree -> tree.field().name()).toList()));
    }
    return vectors;
  }
}
