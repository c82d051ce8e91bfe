package dev.narwhal.lance.predicate;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.predicate.Expression.ColumnRef;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.TransferPair;

/**
 * A value computed from the columns of a row: the right side of a SET, or a new column. SQL text in
 * the dialect of {@link Predicate}, and CASE besides, bound to a schema, evaluated a batch at a
 * time. Immutable and safe for use by many threads at once.
 *
 * <p>The result is cast to the type of the column that it is for, as real Lance's update does.
 * Differing from real Lance 7.0.0, which wraps around ({@code i8 * 100} is -56), integers are
 * computed exactly and a result that the column does not hold is an error.
 */
public final class Projection {
  private final String text;
  private final Expression expression;
  private final Field target;
  private final Set<String> columns;
  private final Node node;

  private Projection(String text, Expression expression, Field target, Set<String> columns) {
    this.text = text;
    this.expression = expression;
    this.target = target;
    this.columns = columns;
    this.node =
        isWholeColumn() ? batch -> new BoxedValues(new Object[0]) : Evaluator.node(expression);
  }

  /**
   * Reads a value for a column.
   *
   * @param target the column: its type, and whether it may be null
   * @throws InvalidPredicateException if the text is no value on the schema, or has no cast to the
   *     column's type; the message quotes the part that is wrong
   */
  public static Projection parse(String sql, Schema schema, Field target) {
    return parse(sql, Scope.of(schema), target);
  }

  /** The same with columns of several schemas. */
  public static Projection parse(String sql, Scope scope, Field target) {
    requireNonNull(target, "target");
    Expression expression = Parser.parseValue(sql, scope, ValueType.of(target));
    return new Projection(sql, expression, target, scope.columnsOf(expression));
  }

  /**
   * Reads a value for a new, nullable column, whose type is the expression's own: that which real
   * Lance 7.0.0 gives such a column.
   *
   * @param name of the column
   * @throws InvalidPredicateException also if the value has no type that a column can have
   */
  public static Projection parseNew(String sql, Schema schema, String name) {
    Scope scope = Scope.of(schema);
    ValueType type = ColumnTypes.of(Parser.parseValue(sql, scope));
    Field target = new Field(name, FieldType.nullable(type.arrow()), type.children());
    return parse(sql, scope, target);
  }

  /** The text as given. */
  public String text() {
    return text;
  }

  /** The column that the value is for. */
  public Field target() {
    return target;
  }

  /** Top-level columns that {@link #evaluate} reads, in the schema's order. */
  public Set<String> columns() {
    return columns;
  }

  /**
   * The values of a batch's rows.
   *
   * @param columns vectors by name, at least those of {@link #columns()}, of the schema's types,
   *     each with at least {@code rows} values; read only
   * @param allocator of the result; of one root with that of a column that is taken over unaltered
   * @return a vector of the target's type; the caller closes it
   * @throws PredicateEvaluationException if a row has no result: overflow, division by zero, a
   *     failed cast, null for a column that is not nullable
   */
  public FieldVector evaluate(
      Map<String, FieldVector> columns, int rows, BufferAllocator allocator) {
    FieldVector result =
        isWholeColumn()
            ? copy(columns, rows, allocator)
            : Storing.vector(node.evaluate(new Batch(columns, rows)), target, rows, allocator);
    try {
      if (!target.isNullable()) {
        requirePresent(result);
      }
      return result;
    } catch (RuntimeException e) {
      result.close();
      throw e;
    }
  }

  /** A column of any type as it is. A member of a struct may be null where it is not. */
  private boolean isWholeColumn() {
    return expression instanceof ColumnRef ref
        && ref.path().size() == 1
        && ref.type().equals(ValueType.of(target));
  }

  private FieldVector copy(Map<String, FieldVector> columns, int rows, BufferAllocator allocator) {
    Column column = Column.find((ColumnRef) expression, new Batch(columns, rows));
    TransferPair transfer = column.vector().getTransferPair(target, allocator);
    transfer.splitAndTransfer(0, rows);
    return (FieldVector) transfer.getTo();
  }

  private void requirePresent(FieldVector result) {
    for (int row = 0; row < result.getValueCount(); row++) {
      if (result.isNull(row)) {
        throw new PredicateEvaluationException(
            "null for column '" + target.getName() + "', which is not nullable", text, row);
      }
    }
  }

  /** In the type of a column, where the values are not held in its form already. */
  static Expression converted(Expression expression, ValueType target, Binder binder) {
    ValueType type = expression.type();
    boolean sameForm =
        type.is(target.kind())
            && !target.is(Kind.DECIMAL)
            && !target.is(Kind.NULL)
            && CommonType.sameForm(type, target);
    Expression result = sameForm ? expression : binder.cast(expression, target);
    boolean whole =
        result instanceof ColumnRef ref && ref.path().size() == 1 && type.equals(target);
    boolean none = result instanceof Expression.Literal literal && literal.isNull();
    if (!whole && !none && !Loading.isLoadable(result.type())) {
      throw new InvalidPredicateException(
          "'" + expression + "' is " + type + ": only a whole column of this type can be a value");
    }
    return result;
  }

  @Override
  public String toString() {
    return text;
  }
}
