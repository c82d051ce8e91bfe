package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Whether batches fit the schema. Whether there are nulls is not looked at here. */
final class BatchCheck {
  private final List<FieldTree> trees;
  private final List<Field> expected = new ArrayList<>();

  BatchCheck(List<FieldTree> trees) {
    this.trees = List.copyOf(trees);
    for (FieldTree tree : trees) {
      expected.add(ArrowTypes.toArrow(tree, BlobMode.BYTES));
    }
  }

  /**
   * The vectors of the fields, in schema order.
   *
   * @throws IllegalArgumentException that says which field does not fit, and how
   */
  List<FieldVector> vectors(VectorSchemaRoot batch) {
    List<FieldVector> vectors = new ArrayList<>(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      Field field = expected.get(i);
      FieldVector vector = batch.getVector(field.getName());
      if (vector == null) {
        throw new IllegalArgumentException(
            "column '" + field.getName() + "' of the schema is not in the batch");
      }
      if (vector.getValueCount() != batch.getRowCount()) {
        throw new IllegalArgumentException(
            "column '%s': %d values in a batch of %d rows"
                .formatted(field.getName(), vector.getValueCount(), batch.getRowCount()));
      }
      if (trees.get(i).field().isBlobV2()) {
        requireBlobs(field.getName(), vector.getField());
      } else if (trees.get(i).field().isDictionary()) {
        requireIndices(field, vector.getField());
      } else {
        requireType(field.getName(), field, vector.getField());
      }
      vectors.add(vector);
    }
    if (batch.getFieldVectors().size() != expected.size()) {
      throw new IllegalArgumentException(
          "the batch has columns %s, the schema %s"
              .formatted(
                  batch.getFieldVectors().stream().map(FieldVector::getName).toList(),
                  expected.stream().map(Field::getName).toList()));
    }
    return vectors;
  }

  private static void requireBlobs(String name, Field found) {
    boolean bytes =
        found.getType() instanceof ArrowType.Struct
            && found.getChildren().stream()
                .anyMatch(
                    child ->
                        child.getName().equals("data")
                            && child.getType() instanceof ArrowType.LargeBinary);
    if (!bytes) {
      throw new IllegalArgumentException(
          "column '%s': %s, expected a struct with large binary 'data'"
              .formatted(name, found.getType()));
    }
  }

  private static void requireIndices(Field expected, Field found) {
    if (found.getDictionary() == null) {
      throw new IllegalArgumentException(
          "column '%s': %s without a dictionary, which the schema has"
              .formatted(expected.getName(), found.getType()));
    }
  }

  private static void requireType(String name, Field expected, Field found) {
    boolean same =
        found.getDictionary() == null
            && (expected.getType() instanceof ArrowType.Map
                ? found.getType() instanceof ArrowType.Map
                : expected.getType().equals(found.getType()));
    if (!same) {
      throw new IllegalArgumentException(
          "column '%s': a vector of type %s, the schema has %s"
              .formatted(name, found.getType(), expected.getType()));
    }
    List<Field> children = expected.getChildren();
    boolean named = expected.getType() instanceof ArrowType.Struct;
    if (found.getChildren().size() != children.size()) {
      throw new IllegalArgumentException(
          "column '%s': %d children, the schema has %d"
              .formatted(name, found.getChildren().size(), children.size()));
    }
    for (int i = 0; i < children.size(); i++) {
      Field child = found.getChildren().get(i);
      if (named && !child.getName().equals(children.get(i).getName())) {
        throw new IllegalArgumentException(
            "column '%s': child %d is '%s', the schema has '%s'"
                .formatted(name, i, child.getName(), children.get(i).getName()));
      }
      requireType(name + '.' + children.get(i).getName(), children.get(i), child);
    }
  }
}
