package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.Expression.And;
import dev.narwhal.lance.predicate.Expression.Arithmetic;
import dev.narwhal.lance.predicate.Expression.Between;
import dev.narwhal.lance.predicate.Expression.Case;
import dev.narwhal.lance.predicate.Expression.Cast;
import dev.narwhal.lance.predicate.Expression.ColumnRef;
import dev.narwhal.lance.predicate.Expression.Comparison;
import dev.narwhal.lance.predicate.Expression.FunctionCall;
import dev.narwhal.lance.predicate.Expression.In;
import dev.narwhal.lance.predicate.Expression.IsBoolean;
import dev.narwhal.lance.predicate.Expression.IsNull;
import dev.narwhal.lance.predicate.Expression.Like;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.Expression.Not;
import dev.narwhal.lance.predicate.Expression.Or;
import dev.narwhal.lance.predicate.Expression.TryCast;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Expressions as SQL text of the dialect. */
final class SqlText implements Expression.Visitor<String> {
  private static final SqlText INSTANCE = new SqlText();
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private SqlText() {}

  static String of(Expression expression) {
    return expression.accept(INSTANCE);
  }

  /** A name, in back quotes where it needs them. */
  static String identifier(String name) {
    boolean plain = PLAIN.matcher(name).matches() && !Words.isReserved(name);
    return plain ? name : "`" + name.replace("`", "``") + "`";
  }

  static String quote(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** An operand of an operator: in parentheses unless it cannot be misread. */
  private static String operand(Expression e) {
    boolean primary =
        e instanceof ColumnRef
            || e instanceof Literal
            || e instanceof Cast
            || e instanceof TryCast
            || e instanceof Case
            || isCall(e);
    return primary ? of(e) : "(" + of(e) + ")";
  }

  private static boolean isCall(Expression e) {
    return e instanceof FunctionCall call
        && !call.name().equals(Functions.CONCAT_OPERATOR)
        && !call.name().equals(Functions.NEGATE);
  }

  @Override
  public String columnRef(ColumnRef column) {
    StringBuilder text = new StringBuilder();
    for (String name : column.path()) {
      text.append(text.isEmpty() ? "" : ".").append(identifier(name));
    }
    return text.toString();
  }

  @Override
  public String literal(Literal literal) {
    return literal.value().map(value -> value(value, literal.type())).orElse("NULL");
  }

  private static String value(Object value, ValueType type) {
    return switch (type.kind()) {
      case BOOLEAN -> value.equals(true) ? "TRUE" : "FALSE";
      case INTEGER ->
          type.isUnsigned64() ? Long.toUnsignedString((long) value) : String.valueOf(value);
      case FLOAT -> {
        double number = (double) value;
        yield Double.isFinite(number)
            ? String.valueOf(number)
            : "CAST('" + number + "' AS " + TypeNames.sql(type) + ")";
      }
      case DECIMAL -> "CAST('" + value + "' AS " + TypeNames.sql(type) + ")";
      case STRING -> quote((String) value);
      case BINARY -> "X'" + hex((ByteBuffer) value) + "'";
      case DATE -> "DATE '" + TemporalText.format((long) value, type) + "'";
      case TIME -> "TIME '" + TemporalText.format((long) value, type) + "'";
      case TIMESTAMP -> "TIMESTAMP '" + TemporalText.format((long) value, type) + "'";
      case LIST -> list((List<?>) value, type.item());
      case DURATION, STRUCT, NULL, OTHER -> String.valueOf(value);
    };
  }

  private static String list(List<?> items, ValueType type) {
    StringBuilder text = new StringBuilder("[");
    for (Object item : items) {
      Optional<?> value = (Optional<?>) item;
      text.append(text.length() == 1 ? "" : ", ");
      text.append(value.isPresent() ? value(value.get(), type) : "NULL");
    }
    return text.append(']').toString();
  }

  private static String hex(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return HexFormat.of().formatHex(copy);
  }

  @Override
  public String comparison(Comparison c) {
    return operand(c.left()) + " " + c.operator().symbol() + " " + operand(c.right());
  }

  @Override
  public String between(Between b) {
    return operand(b.operand()) + " BETWEEN " + operand(b.low()) + " AND " + operand(b.high());
  }

  @Override
  public String and(And and) {
    return join(and.terms(), " AND ");
  }

  @Override
  public String or(Or or) {
    return join(or.terms(), " OR ");
  }

  private static String join(List<? extends Expression> terms, String separator) {
    StringBuilder text = new StringBuilder();
    for (Expression term : terms) {
      boolean wrap = term instanceof And || term instanceof Or;
      text.append(text.isEmpty() ? "" : separator);
      text.append(wrap ? "(" + of(term) + ")" : of(term));
    }
    return text.toString();
  }

  private static String list(List<? extends Expression> terms) {
    StringBuilder text = new StringBuilder();
    for (Expression term : terms) {
      text.append(text.isEmpty() ? "" : ", ").append(of(term));
    }
    return text.toString();
  }

  @Override
  public String not(Not not) {
    if (not.operand() instanceof IsNull isNull) {
      return operand(isNull.operand()) + " IS NOT NULL";
    }
    if (not.operand() instanceof IsBoolean is) {
      return operand(is.operand()) + " IS NOT " + (is.expected() ? "TRUE" : "FALSE");
    }
    return "NOT (" + of(not.operand()) + ")";
  }

  @Override
  public String isNull(IsNull isNull) {
    return operand(isNull.operand()) + " IS NULL";
  }

  @Override
  public String isBoolean(IsBoolean is) {
    return operand(is.operand()) + " IS " + (is.expected() ? "TRUE" : "FALSE");
  }

  @Override
  public String in(In in) {
    return operand(in.operand()) + " IN (" + list(in.values()) + ")";
  }

  @Override
  public String like(Like like) {
    String word = like.ignoreCase() ? " ILIKE " : " LIKE ";
    return operand(like.operand()) + word + operand(like.pattern());
  }

  @Override
  public String arithmetic(Arithmetic a) {
    return operand(written(a.left()))
        + " "
        + a.operator().symbol()
        + " "
        + operand(written(a.right()));
  }

  /** Without the cast to int64 that arithmetic adds to each narrower integer. */
  private static Expression written(Expression operand) {
    boolean added =
        operand instanceof Cast cast
            && cast.type().equals(ValueType.INT64)
            && cast.operand().type().is(ValueType.Kind.INTEGER)
            && !cast.operand().type().isUnsigned64();
    return added ? ((Cast) operand).operand() : operand;
  }

  @Override
  public String cast(Cast cast) {
    return "CAST(" + of(cast.operand()) + " AS " + TypeNames.sql(cast.type()) + ")";
  }

  @Override
  public String tryCast(TryCast cast) {
    return "TRY_CAST(" + of(cast.operand()) + " AS " + TypeNames.sql(cast.type()) + ")";
  }

  @Override
  public String choice(Case choice) {
    StringBuilder text = new StringBuilder("CASE");
    for (Case.Branch branch : choice.branches()) {
      text.append(" WHEN ").append(of(branch.condition()));
      text.append(" THEN ").append(of(branch.result()));
    }
    return text.append(" ELSE ").append(of(choice.otherwise())).append(" END").toString();
  }

  @Override
  public String functionCall(FunctionCall call) {
    List<Expression> arguments = call.arguments();
    return switch (call.name()) {
      case Functions.CONCAT_OPERATOR ->
          operand(arguments.get(0)) + " || " + operand(arguments.get(1));
      case Functions.NEGATE -> "-" + operand(arguments.get(0));
      case Functions.ELEMENT -> operand(arguments.get(0)) + "[" + of(arguments.get(1)) + "]";
      case Functions.LIST -> "[" + list(arguments) + "]";
      default -> call.name() + "(" + list(arguments) + ")";
    };
  }
}
