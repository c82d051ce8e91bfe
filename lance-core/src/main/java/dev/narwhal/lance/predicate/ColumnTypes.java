package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.predicate.Expression.Arithmetic;
import dev.narwhal.lance.predicate.Expression.Cast;
import dev.narwhal.lance.predicate.Expression.FunctionCall;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * The type of a column that is made from an expression, as real Lance 7.0.0 chooses it. It differs
 * from the expression's where Narwhal computes in a wider type than DataFusion:
 *
 * <pre>
 * i8 + 1, -i8, abs(i8)       the narrow integer's type; of two, the wider, or the next that holds both
 * round(f32) and the like    float
 * length(s), date_part(..)   int32, as do strpos and ascii
 * array_length(l)            uint64
 * lower(large) and the like  large string
 * </pre>
 */
final class ColumnTypes {
  private static final ValueType INT32 = ValueType.of(new ArrowType.Int(32, true));

  private static final Set<String> COUNTS =
      Set.of("character_length", "octet_length", "bit_length", "strpos", "ascii", "date_part");

  private static final Set<String> OF_ARGUMENT =
      Set.of(Functions.NEGATE, "abs", "round", "trunc", "ceil", "floor");

  private static final Set<String> OF_TEXT =
      Set.of("lower", "upper", "btrim", "ltrim", "rtrim", "reverse", "replace", "repeat");

  private ColumnTypes() {}

  /** The column's type. */
  static ValueType of(Expression expression) {
    ValueType type = natural(expression);
    if (type.is(Kind.NULL) || type.equals(ValueType.EMPTY_LIST)) {
      throw new InvalidPredicateException(
          "'" + expression + "' has no type: cast it to the one that the column is to have");
    }
    return type;
  }

  private static ValueType natural(Expression expression) {
    if (expression instanceof Arithmetic arithmetic && arithmetic.type().is(Kind.INTEGER)) {
      return integer(arithmetic);
    }
    if (expression instanceof Arithmetic arithmetic && arithmetic.type().is(Kind.DECIMAL)) {
      return isUnsignedWithLiteral(arithmetic) ? ValueType.UINT64 : arithmetic.type();
    }
    if (expression instanceof FunctionCall call) {
      return ofCall(call);
    }
    return expression.type();
  }

  /** Computed as a decimal here, since the literal is signed. */
  private static boolean isUnsignedWithLiteral(Arithmetic arithmetic) {
    return (isUnsigned(arithmetic.left()) && isWhole(arithmetic.right()))
        || (isWhole(arithmetic.left()) && isUnsigned(arithmetic.right()));
  }

  private static boolean isUnsigned(Expression operand) {
    return operand instanceof Cast cast && cast.operand().type().isUnsigned64();
  }

  private static boolean isWhole(Expression operand) {
    return operand instanceof Literal literal
        && literal.type().arrow() instanceof ArrowType.Decimal decimal
        && decimal.getScale() == 0;
  }

  private static ValueType ofCall(FunctionCall call) {
    if (COUNTS.contains(call.name())) {
      return INT32;
    }
    if (call.name().equals("array_length")) {
      return ValueType.UINT64;
    }
    boolean kept = OF_ARGUMENT.contains(call.name()) || OF_TEXT.contains(call.name());
    return kept ? natural(written(call.arguments().get(0), call.type())) : call.type();
  }

  private static ValueType integer(Arithmetic arithmetic) {
    Expression left = written(arithmetic.left(), arithmetic.type());
    Expression right = written(arithmetic.right(), arithmetic.type());
    if (left instanceof Literal literal) {
      return literalBeside(literal, natural(right));
    }
    if (right instanceof Literal literal) {
      return literalBeside(literal, natural(left));
    }
    return holding((ArrowType.Int) natural(left).arrow(), (ArrowType.Int) natural(right).arrow());
  }

  /** A literal takes on the column's type. */
  private static ValueType literalBeside(Literal literal, ValueType column) {
    return LiteralCoercion.exact(literal, column).isPresent() ? column : literal.type();
  }

  /** The narrowest type that holds both, at most int64. */
  private static ValueType holding(ArrowType.Int a, ArrowType.Int b) {
    if (a.getIsSigned() == b.getIsSigned()) {
      return ValueType.of(a.getBitWidth() >= b.getBitWidth() ? a : b);
    }
    ArrowType.Int signed = a.getIsSigned() ? a : b;
    ArrowType.Int unsigned = a.getIsSigned() ? b : a;
    int bits = Math.max(signed.getBitWidth(), Math.min(64, 2 * unsigned.getBitWidth()));
    return ValueType.of(new ArrowType.Int(bits, true));
  }

  /** Without the widening cast that Narwhal added. */
  private static Expression written(Expression operand, ValueType widened) {
    if (operand instanceof Cast cast
        && cast.type().equals(widened)
        && cast.operand().type().is(widened.kind())
        && (widened.is(Kind.INTEGER) || widened.is(Kind.FLOAT))) {
      return cast.operand();
    }
    return operand;
  }
}
