package dev.narwhal.iceberg.rowdelete.plan;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.BoundPredicate;
import org.apache.iceberg.expressions.BoundReference;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionVisitors;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.UUIDUtil;

/**
 * Iceberg's expressions as text of our dialect, whose rules then hold: what compares with null is
 * null, and a row for which the condition is null is not found.
 */
final class ExpressionText extends ExpressionVisitors.ExpressionVisitor<String> {
  private static final long MICROS = 1_000_000;
  private static final long NANOS = 1_000_000_000;

  private final Schema schema;
  private final Map<Integer, Integer> parents;

  private ExpressionText(Schema schema) {
    this.schema = schema;
    this.parents = TypeUtil.indexParents(schema.asStruct());
  }

  /**
   * The text.
   *
   * @throws org.apache.iceberg.exceptions.ValidationException if it names a column that is not
   *     there, or compares it with a value of another type
   * @throws UnsupportedFeatureException if it has the transform of a column, or a type that our
   *     dialect lacks
   */
  static String of(Expression expression, Schema schema) {
    Expression bound = Binder.bind(schema.asStruct(), expression, true);
    return ExpressionVisitors.visit(bound, new ExpressionText(schema));
  }

  @Override
  public String alwaysTrue() {
    return "TRUE";
  }

  @Override
  public String alwaysFalse() {
    return "FALSE";
  }

  @Override
  public String not(String result) {
    return "NOT (" + result + ")";
  }

  @Override
  public String and(String left, String right) {
    return "(" + left + ") AND (" + right + ")";
  }

  @Override
  public String or(String left, String right) {
    return "(" + left + ") OR (" + right + ")";
  }

  @Override
  public <T> String predicate(BoundPredicate<T> predicate) {
    if (!(predicate.term() instanceof BoundReference<T> reference)) {
      throw new UnsupportedFeatureException(
          "a filter on the transform "
              + predicate.term()
              + ": filter on the column itself, partitions are chosen by it");
    }
    String column = path(reference.fieldId());
    Type type = reference.type();
    if (predicate.isUnaryPredicate()) {
      return unary(predicate.op(), column);
    }
    if (predicate.isLiteralPredicate()) {
      return compared(
          predicate.op(), column, text(type, predicate.asLiteralPredicate().literal().value()));
    }
    return among(predicate.op(), column, type, predicate.asSetPredicate().literalSet());
  }

  private static String unary(Expression.Operation operation, String column) {
    return switch (operation) {
      case IS_NULL -> column + " IS NULL";
      case NOT_NULL -> column + " IS NOT NULL";
      case IS_NAN -> "isnan(" + column + ")";
      case NOT_NAN -> "NOT isnan(" + column + ")";
      default -> throw unknown(operation);
    };
  }

  private static String compared(Expression.Operation operation, String column, String value) {
    return switch (operation) {
      case EQ -> column + " = " + value;
      case NOT_EQ -> column + " != " + value;
      case LT -> column + " < " + value;
      case LT_EQ -> column + " <= " + value;
      case GT -> column + " > " + value;
      case GT_EQ -> column + " >= " + value;
      case STARTS_WITH -> "starts_with(" + column + ", " + value + ")";
      case NOT_STARTS_WITH -> "NOT starts_with(" + column + ", " + value + ")";
      default -> throw unknown(operation);
    };
  }

  private static String among(
      Expression.Operation operation, String column, Type type, Collection<?> values) {
    String list = values.stream().map(value -> text(type, value)).collect(Collectors.joining(", "));
    return switch (operation) {
      case IN -> column + " IN (" + list + ")";
      case NOT_IN -> column + " NOT IN (" + list + ")";
      default -> throw unknown(operation);
    };
  }

  private static UnsupportedFeatureException unknown(Expression.Operation operation) {
    return new UnsupportedFeatureException("the filter operation " + operation);
  }

  private String path(int fieldId) {
    Deque<String> names = new ArrayDeque<>();
    for (Integer id = fieldId; id != null; id = parents.get(id)) {
      Types.NestedField field = schema.findField(id);
      names.addFirst("`" + field.name().replace("`", "``") + "`");
    }
    return String.join(".", names);
  }

  /** A value in Iceberg's internal form. */
  private static String text(Type type, Object value) {
    return switch (type.typeId()) {
      case BOOLEAN, INTEGER, LONG -> value.toString();
      case FLOAT -> number(((Float) value).doubleValue(), "float");
      case DOUBLE -> number((Double) value, "double");
      case DECIMAL -> decimal((Types.DecimalType) type, (BigDecimal) value);
      case STRING -> "'" + value.toString().replace("'", "''") + "'";
      case DATE -> "DATE '" + LocalDate.ofEpochDay((Integer) value) + "'";
      case TIME -> "TIME '" + LocalTime.ofNanoOfDay(Math.multiplyExact((Long) value, 1000)) + "'";
      case TIMESTAMP -> timestamp((Long) value, MICROS);
      case TIMESTAMP_NANO -> timestamp((Long) value, NANOS);
      case BINARY, FIXED -> hex((ByteBuffer) value);
      case UUID -> hex(UUIDUtil.convertToByteBuffer((UUID) value));
      default -> throw new UnsupportedFeatureException("a filter on a column of the type " + type);
    };
  }

  private static String number(double value, String type) {
    return Double.isFinite(value)
        ? Double.toString(value)
        : "CAST('" + value + "' AS " + type + ")";
  }

  private static String decimal(Types.DecimalType type, BigDecimal value) {
    return "CAST('"
        + value.toPlainString()
        + "' AS decimal("
        + type.precision()
        + ", "
        + type.scale()
        + "))";
  }

  private static String timestamp(long value, long perSecond) {
    int nano = (int) (Math.floorMod(value, perSecond) * (NANOS / perSecond));
    LocalDateTime utc =
        LocalDateTime.ofEpochSecond(Math.floorDiv(value, perSecond), nano, ZoneOffset.UTC);
    return "TIMESTAMP '" + utc.toLocalDate() + " " + utc.toLocalTime() + "'";
  }

  private static String hex(ByteBuffer value) {
    byte[] bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    return "X'" + HexFormat.of().formatHex(bytes) + "'";
  }
}
