package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.predicate.RowMask;
import dev.narwhal.lance.predicate.Scope;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.scan.Take;
import dev.narwhal.lance.scan.VectorSelection;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Whether a matched row is updated: a condition on the source's row and the table's, whose columns
 * are {@code source.x} and {@code target.x} to it. Only those that it names are read. One thread.
 */
final class UpdateCondition {
  private static final String SOURCE = "source";
  private static final String TARGET = "target";

  private final Predicate predicate;
  private final List<String> sourceColumns;
  private final List<String> targetColumns;
  private final WriteContext context;
  private final PairPace pace;

  /**
   * @param columns those of the source
   * @param pace is told what the rows take that are read
   * @throws dev.narwhal.lance.error.InvalidPredicateException when it cannot be parsed, names
   *     something unknown, or has a type error
   */
  UpdateCondition(String text, SourceColumns columns, WriteContext context, PairPace pace) {
    Map<String, Schema> sides = sides(columns, context);
    this.predicate = parse(text, columns, context);
    this.sourceColumns = named(SOURCE, sides);
    this.targetColumns = named(TARGET, sides);
    this.context = context;
    this.pace = pace;
  }

  /**
   * The condition alone, bound to the columns of both sides.
   *
   * @throws dev.narwhal.lance.error.InvalidPredicateException as the constructor
   */
  static Predicate parse(String text, SourceColumns columns, WriteContext context) {
    return Predicate.parse(text, Scope.qualified(sides(columns, context)));
  }

  private static Map<String, Schema> sides(SourceColumns columns, WriteContext context) {
    Map<String, Schema> sides = new LinkedHashMap<>();
    sides.put(SOURCE, new Schema(columns.given()));
    sides.put(TARGET, SystemColumns.with(ArrowTypes.toArrow(context.manifest().schema())));
    return sides;
  }

  private List<String> named(String side, Map<String, Schema> sides) {
    return sides.getOrDefault(side, new Schema(List.of())).getFields().stream()
        .map(Field::getName)
        .filter(name -> predicate.columns().contains(Scope.qualifiedName(side, name)))
        .toList();
  }

  /**
   * The pairs for which it is true.
   *
   * @param positions rows of the source's batch
   * @param addresses of the table's rows, one for each
   */
  RowMask evaluate(VectorSchemaRoot source, int[] positions, long[] addresses) throws IOException {
    Map<String, FieldVector> vectors = new HashMap<>();
    try {
      for (String column : sourceColumns) {
        vectors.put(
            Scope.qualifiedName(SOURCE, column),
            VectorSelection.select(source.getVector(column), positions, context.allocator()));
      }
      if (!targetColumns.isEmpty()) {
        VectorSchemaRoot taken = take().addresses(addresses, context.allocator());
        for (FieldVector vector : taken.getFieldVectors()) {
          pace.read(vector.getBufferSize());
          vectors.put(Scope.qualifiedName(TARGET, vector.getName()), vector);
        }
      }
      return predicate.evaluate(vectors, positions.length);
    } finally {
      vectors.values().forEach(FieldVector::close);
    }
  }

  private Take take() {
    return new Take(
        context.manifest().schema(),
        context.rows(),
        targetColumns,
        Runtime.getRuntime().availableProcessors(),
        BlobMode.DESCRIPTORS);
  }
}
