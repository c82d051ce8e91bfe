package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.predicate.Expression.Arithmetic;
import dev.narwhal.lance.predicate.Expression.FunctionCall;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Types of arithmetic. Integers are added and so on as int64 whatever their width, uint64 with
 * unsigned ones as uint64, uint64 with signed ones as decimals. Real Lance 7.0.0 keeps narrow types
 * and wraps around ({@code i8 * i8 = 16129} finds nothing there); here the result is exact or an
 * error. Floats of one width keep it, decimals get the precision and scale that DataFusion gives
 * them, of a quotient four digits more than the dividend's.
 *
 * <p>A date plus or minus an integer counts days, a date minus a date is a number of days.
 */
final class ArithmeticRules {
  private static final int MAX_PRECISION = 76;
  private static final int QUOTIENT_DIGITS = 4;

  private ArithmeticRules() {}

  static Expression bind(
      ArithmeticOperator operator, Expression left, Expression right, Binder binder) {
    if (left.type().is(Kind.DATE) || right.type().is(Kind.DATE)) {
      return dates(operator, left, right, binder);
    }
    ValueType a = left.type();
    ValueType b = right.type();
    if (!isNumberOrNull(a) || !isNumberOrNull(b)) {
      throw mismatch(operator, left, right);
    }
    if (a.is(Kind.NULL) || b.is(Kind.NULL)) {
      ValueType known = a.is(Kind.NULL) ? b : a;
      return Literal.ofNull(known.is(Kind.NULL) ? ValueType.INT64 : known);
    }
    return numbers(operator, left, right, binder);
  }

  private static boolean isNumberOrNull(ValueType type) {
    return type.isNumeric() || type.is(Kind.NULL);
  }

  private static InvalidPredicateException mismatch(
      ArithmeticOperator operator, Expression left, Expression right) {
    return new InvalidPredicateException(
        "'"
            + left
            + "' is "
            + left.type()
            + " and '"
            + right
            + "' is "
            + right.type()
            + ": "
            + operator.symbol()
            + " takes numbers, or cast them");
  }

  private static Expression numbers(
      ArithmeticOperator operator, Expression left, Expression right, Binder binder) {
    Expression l = exactBeside(left, right.type());
    Expression r = exactBeside(right, left.type());
    ValueType common = CommonType.numeric(l.type(), r.type());
    if (common.is(Kind.DECIMAL)) {
      Expression x = decimal(l, binder);
      Expression y = decimal(r, binder);
      return fold(new Arithmetic(operator, x, y, decimalResult(operator, x.type(), y.type())));
    }
    // Narrow integers of one type would be kept narrow by the common type.
    ValueType type = common;
    if (common.is(Kind.INTEGER) && !common.isUnsigned64()) {
      type = ValueType.INT64;
    } else if (common.is(Kind.FLOAT) && !common.equals(ValueType.FLOAT64)) {
      type = ValueType.FLOAT32;
    }
    return fold(new Arithmetic(operator, binder.cast(l, type), binder.cast(r, type), type));
  }

  private static Expression fold(Arithmetic arithmetic) {
    return Folding.constant(arithmetic, List.of(arithmetic.left(), arithmetic.right()));
  }

  /** A number with a fraction beside a decimal is that decimal, not a double. */
  private static Expression exactBeside(Expression operand, ValueType other) {
    if (operand instanceof Literal literal
        && !literal.isNull()
        && operand.type().is(Kind.FLOAT)
        && other.is(Kind.DECIMAL)) {
      Optional<BigDecimal> exact =
          LiteralCoercion.toDecimal(literal.value().orElseThrow(), operand.type());
      if (exact.isPresent() && exact.get().scale() >= 0 && exact.get().scale() <= MAX_PRECISION) {
        return Literals.decimal(exact.get());
      }
    }
    return operand;
  }

  private static Expression decimal(Expression operand, Binder binder) {
    if (operand.type().is(Kind.DECIMAL)) {
      return operand;
    }
    if (operand instanceof Literal literal && !literal.isNull()) {
      return Literals.decimal(
          new BigDecimal(LiteralCoercion.toBig(literal.value().orElseThrow(), operand.type())));
    }
    return binder.cast(operand, CommonType.ANY_INTEGER);
  }

  private static ValueType decimalResult(
      ArithmeticOperator operator, ValueType left, ValueType right) {
    ArrowType.Decimal a = (ArrowType.Decimal) left.arrow();
    ArrowType.Decimal b = (ArrowType.Decimal) right.arrow();
    int wholeA = a.getPrecision() - a.getScale();
    int wholeB = b.getPrecision() - b.getScale();
    int maxScale = Math.max(a.getScale(), b.getScale());
    return switch (operator) {
      case ADD, SUBTRACT -> capped(Math.max(wholeA, wholeB) + 1, maxScale);
      case MULTIPLY -> capped(wholeA + wholeB + 1, a.getScale() + b.getScale());
      case DIVIDE -> capped(wholeA + b.getScale(), a.getScale() + QUOTIENT_DIGITS);
      case MODULO -> capped(Math.max(wholeA, wholeB), maxScale);
    };
  }

  private static ValueType capped(int whole, int scale) {
    int capped = Math.min(scale, MAX_PRECISION);
    return ValueType.decimal(Math.max(1, Math.min(MAX_PRECISION, whole + capped)), capped);
  }

  private static Expression dates(
      ArithmeticOperator operator, Expression left, Expression right, Binder binder) {
    boolean plus = operator == ArithmeticOperator.ADD;
    boolean minus = operator == ArithmeticOperator.SUBTRACT;
    ValueType a = left.type();
    ValueType b = right.type();
    if (minus && a.is(Kind.DATE) && b.is(Kind.DATE)) {
      return bind(operator, days(left, binder), days(right, binder), binder);
    }
    if ((plus || minus) && a.is(Kind.DATE) && isIntegerOrNull(b)) {
      return binder.cast(bind(operator, days(left, binder), right, binder), ValueType.DATE);
    }
    if (plus && b.is(Kind.DATE) && isIntegerOrNull(a)) {
      return binder.cast(bind(operator, left, days(right, binder), binder), ValueType.DATE);
    }
    throw mismatch(operator, left, right);
  }

  private static boolean isIntegerOrNull(ValueType type) {
    return type.is(Kind.NULL) || (type.is(Kind.INTEGER) && !type.isUnsigned64());
  }

  private static Expression days(Expression date, Binder binder) {
    return binder.cast(binder.cast(date, ValueType.DATE), ValueType.INT64);
  }

  /** Unary minus. */
  static Expression negate(Expression operand, Binder binder) {
    ValueType type = operand.type();
    if (type.is(Kind.NULL)) {
      return Literal.ofNull(ValueType.INT64);
    }
    if (operand instanceof Literal literal && !literal.isNull() && type.is(Kind.INTEGER)) {
      BigInteger value = LiteralCoercion.toBig(literal.value().orElseThrow(), type).negate();
      return value.bitLength() <= 63
          ? Literal.of(value.longValue(), ValueType.INT64)
          : Literals.decimal(new BigDecimal(value));
    }
    boolean unsigned = type.is(Kind.INTEGER) && !type.isSigned();
    if (!type.isNumeric() || unsigned) {
      throw new InvalidPredicateException(
          "'" + operand + "' is " + type + ": unary minus takes a signed number, or cast it");
    }
    Expression number = type.is(Kind.INTEGER) ? binder.cast(operand, ValueType.INT64) : operand;
    return Folding.constant(
        new FunctionCall(Functions.NEGATE, List.of(number), number.type()), List.of(number));
  }
}
