package dev.narwhal.iceberg.rowdelete.plan;

import dev.narwhal.lance.predicate.ComparisonOperator;
import dev.narwhal.lance.predicate.Expression.ColumnRef;
import dev.narwhal.lance.predicate.Expression.Literal;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Conditions on one column as Iceberg expressions.
 *
 * <p>Where the rules differ, ours hold. A comparison with null is null, so that each one says that
 * the column is not null, which Iceberg's {@code <} and {@code !=} do not imply. NaN is above every
 * number, while statistics leave it out. {@code -0.0} is below {@code 0.0}, while some writers'
 * statistics take them for one. Types that Iceberg orders in another way, or whose statistics are
 * in doubt, are told apart by null only.
 */
final class PrunedColumns {
  private final Schema schema;

  PrunedColumns(Schema schema) {
    this.schema = schema;
  }

  /** A primitive column under the name that Iceberg looks it up by. */
  private record Column(String name, Type.PrimitiveType type) {
    Pruning nonNull(Expression condition) {
      return Pruning.exactly(Expressions.and(Expressions.notNull(name), condition));
    }

    boolean isFloat() {
      return type.typeId() == Type.TypeID.FLOAT || type.typeId() == Type.TypeID.DOUBLE;
    }
  }

  private Optional<Column> column(ColumnRef ref) {
    Types.NestedField field = schema.asStruct().field(ref.path().get(0));
    for (String member : ref.path().subList(1, ref.path().size())) {
      field = field == null ? null : field.type().asStructType().field(member);
    }
    if (field == null || !field.type().isPrimitiveType()) {
      return Optional.empty();
    }
    // A path joined by dots may be another column's name
    String name = schema.findColumnName(field.fieldId());
    Types.NestedField found = schema.findField(name);
    return found != null && found.fieldId() == field.fieldId()
        ? Optional.of(new Column(name, field.type().asPrimitiveType()))
        : Optional.empty();
  }

  Pruning isNull(ColumnRef ref, boolean wanted) {
    return column(ref)
        .filter(column -> column.type().typeId() != Type.TypeID.UNKNOWN)
        .map(Column::name)
        .map(name -> wanted ? Expressions.isNull(name) : Expressions.notNull(name))
        .map(Pruning::exactly)
        .orElse(Pruning.UNKNOWN);
  }

  Pruning isBoolean(ColumnRef ref, boolean value) {
    return column(ref)
        .filter(column -> column.type().typeId() == Type.TypeID.BOOLEAN)
        .map(column -> column.nonNull(Expressions.equal(column.name(), value)))
        .orElse(Pruning.UNKNOWN);
  }

  Pruning startsWith(ColumnRef ref, String prefix, boolean wanted) {
    return column(ref)
        .filter(column -> column.type().typeId() == Type.TypeID.STRING)
        .map(
            column ->
                column.nonNull(
                    wanted
                        ? Expressions.startsWith(column.name(), prefix)
                        : Expressions.notStartsWith(column.name(), prefix)))
        .orElse(Pruning.UNKNOWN);
  }

  Pruning compare(ColumnRef ref, ComparisonOperator operator, Literal literal) {
    if (literal.isNull()) {
      return Pruning.NONE;
    }
    Optional<Column> column = column(ref);
    Optional<Object> value = column.flatMap(found -> value(found, literal));
    if (column.isEmpty() || value.isEmpty()) {
      return Pruning.UNKNOWN;
    }
    return column.get().isFloat()
        ? compareFloats(column.get(), operator, (Double) value.get())
        : column.get().nonNull(compare(column.get().name(), operator, value.get()));
  }

  private static Expression compare(String name, ComparisonOperator operator, Object value) {
    return switch (operator) {
      case EQ -> Expressions.equal(name, value);
      case NE -> Expressions.notEqual(name, value);
      case LT -> Expressions.lessThan(name, value);
      case LE -> Expressions.lessThanOrEqual(name, value);
      case GT -> Expressions.greaterThan(name, value);
      case GE -> Expressions.greaterThanOrEqual(name, value);
    };
  }

  private static Pruning compareFloats(Column column, ComparisonOperator operator, double value) {
    if (Double.isNaN(value)) {
      return Pruning.UNKNOWN;
    }
    String name = column.name();
    if (value == 0.0) {
      return Pruning.atMost(
          switch (operator) {
            case EQ -> Expressions.and(atLeastZero(name), Expressions.lessThanOrEqual(name, 0.0));
            case NE -> Expressions.notNull(name);
            case LT, LE -> Expressions.lessThanOrEqual(name, 0.0);
            case GT, GE -> Expressions.or(atLeastZero(name), Expressions.isNaN(name));
          });
    }
    Expression exact = compare(name, operator, value);
    boolean above = operator == ComparisonOperator.GT || operator == ComparisonOperator.GE;
    Expression notNull = Expressions.notNull(name);
    return new Pruning(
        Expressions.and(notNull, above ? Expressions.or(exact, Expressions.isNaN(name)) : exact),
        Expressions.and(notNull, exact));
  }

  private static Expression atLeastZero(String name) {
    return Expressions.greaterThanOrEqual(name, -0.0);
  }

  Pruning isOneOf(ColumnRef ref, List<Literal> literals) {
    Optional<Column> column = column(ref);
    if (column.isPresent() && !column.get().isFloat()) {
      Optional<List<Object>> values = values(column.get(), literals);
      if (values.isPresent()) {
        return values.get().isEmpty()
            ? Pruning.NONE
            : column.get().nonNull(Expressions.in(column.get().name(), values.get().toArray()));
      }
    }
    return Pruning.UNKNOWN;
  }

  Pruning isNoneOf(ColumnRef ref, List<Literal> literals) {
    Optional<Column> column = column(ref);
    if (column.isPresent() && !column.get().isFloat()) {
      Optional<List<Object>> values = values(column.get(), literals);
      if (values.isPresent()) {
        return column.get().nonNull(Expressions.notIn(column.get().name(), values.get().toArray()));
      }
    }
    return Pruning.UNKNOWN;
  }

  private static Optional<List<Object>> values(Column column, List<Literal> literals) {
    List<Object> values = new ArrayList<>();
    for (Literal literal : literals) {
      Optional<Object> value = value(column, literal);
      if (value.isEmpty()) {
        return Optional.empty();
      }
      values.add(value.get());
    }
    return Optional.of(values);
  }

  /** The literal as Iceberg takes it for the column; empty where it takes none. */
  private static Optional<Object> value(Column column, Literal literal) {
    return literal.value().flatMap(value -> value(column.type(), value));
  }

  private static Optional<Object> value(Type.PrimitiveType type, Object value) {
    return switch (type.typeId()) {
      case BOOLEAN -> Optional.of(value).filter(Boolean.class::isInstance);
      case INTEGER, DATE ->
          value instanceof Long number && number == number.intValue()
              ? Optional.of(number.intValue())
              : Optional.empty();
      case LONG, TIME, TIMESTAMP -> Optional.of(value).filter(Long.class::isInstance);
      case FLOAT ->
          value instanceof Double number && Double.compare(number, number.floatValue()) == 0
              ? Optional.of(value)
              : Optional.empty();
      case DOUBLE -> Optional.of(value).filter(Double.class::isInstance);
      case DECIMAL -> decimal((Types.DecimalType) type, value);
      case STRING -> Optional.of(value).filter(String.class::isInstance);
      case BINARY -> Optional.of(value).filter(ByteBuffer.class::isInstance);
      case FIXED ->
          value instanceof ByteBuffer bytes
                  && bytes.remaining() == ((Types.FixedType) type).length()
              ? Optional.of(value)
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<Object> decimal(Types.DecimalType type, Object value) {
    if (!(value instanceof BigDecimal number)) {
      return Optional.empty();
    }
    try {
      return Optional.of(number.setScale(type.scale(), RoundingMode.UNNECESSARY));
    } catch (ArithmeticException e) {
      return Optional.empty(); // no value of the column equals it
    }
  }
}
