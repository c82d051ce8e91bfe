package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.predicate.Expression.ColumnRef;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Brings operands that are compared to one type. Literals take the others' type if that holds them
 * ({@link LiteralCoercion}). A literal that it does not hold is an error beside plain columns of
 * numbers, strings and booleans, as in real Lance; else all are cast to their {@link CommonType}.
 */
final class Alignment {
  private final Binder binder;

  Alignment(Binder binder) {
    this.binder = binder;
  }

  /** Operands of a comparison, in types that are compared as they are. */
  List<Expression> compared(List<Expression> operands) {
    boolean strict =
        operands.stream().allMatch(e -> e instanceof Literal || e instanceof ColumnRef);
    return align(operands, "compared with", strict);
  }

  /** Operands one of which will be the result, in types that are compared as they are. */
  List<Expression> combined(List<Expression> operands) {
    return align(operands, "combined with", false);
  }

  /** Operands one of which will be the result, all of one type. Lists stay as they are. */
  List<Expression> united(List<Expression> operands) {
    Optional<Expression> first =
        operands.stream().filter(operand -> !operand.type().is(Kind.NULL)).findFirst();
    if (first.isPresent() && first.get().type().is(Kind.LIST)) {
      return operands.stream().map(operand -> binder.cast(operand, first.get().type())).toList();
    }
    return inOneType(combined(operands));
  }

  /** Aligned operands in one type: decimals may have been aligned in several scales. */
  List<Expression> inOneType(List<Expression> aligned) {
    ValueType type = aligned.get(0).type();
    for (Expression operand : aligned) {
      type = type.equals(operand.type()) ? type : CommonType.of(type, operand.type()).orElse(type);
    }
    List<Expression> result = new ArrayList<>(aligned.size());
    for (Expression operand : aligned) {
      boolean convertible = operand.type().is(Kind.DECIMAL) || operand.type().is(Kind.NULL);
      result.add(convertible ? binder.cast(operand, type) : operand);
    }
    return result;
  }

  private List<Expression> align(
      List<Expression> operands, String relation, boolean strictColumns) {
    Optional<Expression> lead = operands.stream().filter(e -> !(e instanceof Literal)).findFirst();
    boolean strict = strictColumns && lead.isPresent();
    ValueType target = target(operands, lead, relation, strict);
    List<Expression> aligned = new ArrayList<>(operands.size());
    for (Expression operand : operands) {
      aligned.add(convert(operand, target));
    }
    return aligned;
  }

  private ValueType target(
      List<Expression> operands, Optional<Expression> lead, String relation, boolean strict) {
    ValueType target = ValueType.NULL;
    Expression widest = operands.get(0);
    for (Expression operand : operands) {
      if (!(operand instanceof Literal)) {
        target = common(target, operand.type(), widest, operand, relation);
        widest = lead.orElse(operand);
      }
    }
    for (Expression operand : operands) {
      if (operand instanceof Literal literal) {
        boolean held = !target.is(Kind.NULL) && LiteralCoercion.exact(literal, target).isPresent();
        if (!held && strict && !target.is(Kind.NULL) && !isTemporalPair(target, literal.type())) {
          throw mismatch(lead.orElse(operand), literal, relation);
        }
        if (!held) {
          target = common(target, literal.type(), lead.orElse(widest), operand, relation);
        }
      }
    }
    return target;
  }

  /** A timestamp of finer unit than the column's is compared in its own. */
  private static boolean isTemporalPair(ValueType column, ValueType literal) {
    return isTemporal(column) && isTemporal(literal);
  }

  private static boolean isTemporal(ValueType type) {
    return type.is(Kind.DATE) || type.is(Kind.TIMESTAMP) || type.is(Kind.TIME);
  }

  private static ValueType common(
      ValueType a, ValueType b, Expression left, Expression right, String relation) {
    return CommonType.of(a, b)
        .orElseThrow(
            () ->
                a.is(Kind.NULL) || a.equals(b)
                    ? new InvalidPredicateException(
                        "'"
                            + right
                            + "' is "
                            + b
                            + ", which cannot be "
                            + relation
                            + " anything: use IS [NOT] NULL")
                    : new InvalidPredicateException(
                        "'"
                            + left
                            + "' is "
                            + a
                            + " and cannot be "
                            + relation
                            + " '"
                            + right
                            + "', which is "
                            + b));
  }

  private static InvalidPredicateException mismatch(
      Expression column, Literal literal, String relation) {
    return new InvalidPredicateException(
        "'"
            + column
            + "' is "
            + column.type()
            + " and cannot be "
            + relation
            + " "
            + literal
            + " ("
            + literal.type()
            + "): write "
            + wanted(column.type()));
  }

  private static String wanted(ValueType type) {
    return switch (type.kind()) {
      case INTEGER -> range((ArrowType.Int) type.arrow()) + ", or cast one side";
      case FLOAT -> "a number, or cast one side";
      case DECIMAL ->
          "a number of at most "
              + ((ArrowType.Decimal) type.arrow()).getPrecision()
              + " digits, "
              + ((ArrowType.Decimal) type.arrow()).getScale()
              + " of them after the point, or cast one side";
      case BOOLEAN -> "TRUE or FALSE";
      case STRING -> "a string in quotes";
      case BINARY -> "bytes as X'0aff'";
      case DATE -> "a date as DATE '2024-01-31'";
      case TIMESTAMP -> "a timestamp as TIMESTAMP '2024-01-31 13:45:00'";
      case TIME -> "a time as TIME '13:45:00'";
      case DURATION -> "another duration, or cast it to bigint";
      case LIST, STRUCT, NULL, OTHER -> "IS [NOT] NULL";
    };
  }

  private static String range(ArrowType.Int type) {
    int bits = type.getBitWidth();
    BigInteger power = BigInteger.ONE.shiftLeft(type.getIsSigned() ? bits - 1 : bits);
    return "an integer from "
        + (type.getIsSigned() ? power.negate() : 0)
        + " to "
        + power.subtract(BigInteger.ONE);
  }

  /** One operand in the common type. */
  Expression convert(Expression operand, ValueType target) {
    if (operand instanceof Literal literal && !target.is(Kind.NULL)) {
      Optional<Literal> exact = LiteralCoercion.exact(literal, target);
      if (exact.isPresent()) {
        return exact.get();
      }
    }
    return CommonType.sameForm(operand.type(), target) ? operand : binder.cast(operand, target);
  }
}
