package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.predicate.Expression.FunctionCall;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.Function.Parameter;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.TimeUnit;

/** Types of calls: finds the function, converts its arguments to what it takes. */
final class CallRules {
  private static final ValueType MICROSECONDS = ValueType.timestamp(TimeUnit.MICROSECOND);

  /** As real Lance, which converts no other function's arguments to strings. */
  private static final Set<String> CONVERTING =
      Set.of("concat", "concat_ws", "character_length", "octet_length", "bit_length");

  private final Function function;
  private final List<Expression> arguments;
  private final Binder binder;
  private final Alignment alignment;

  private CallRules(
      Function function, List<Expression> arguments, Binder binder, Alignment alignment) {
    this.function = function;
    this.arguments = arguments;
    this.binder = binder;
    this.alignment = alignment;
  }

  /** The function of a lower-case name. */
  static Function function(String name) {
    if (Functions.isAggregate(name)) {
      throw new InvalidPredicateException(
          "aggregates and window functions are not supported: '" + name + "(..)'");
    }
    return Functions.find(name)
        .orElseThrow(
            () ->
                new InvalidPredicateException(
                    "unknown function '" + name + "'" + Names.hint(name, Functions.names())));
  }

  static Expression bind(
      String name, List<Expression> arguments, Binder binder, Alignment alignment) {
    Function function = function(name);
    if (!function.takes(arguments.size())) {
      throw new InvalidPredicateException(
          "'"
              + name
              + "' is called with "
              + arguments.size()
              + " arguments: it is "
              + function.signature());
    }
    return new CallRules(function, arguments, binder, alignment).bind();
  }

  private Expression bind() {
    List<Expression> converted = convertAll();
    ValueType type = function.result().of(converted.stream().map(Expression::type).toList());
    if (function.nulls() == Function.Nulls.STRICT) {
      for (Expression argument : converted) {
        if (argument instanceof Literal literal && literal.isNull()) {
          return Literal.ofNull(type);
        }
      }
    }
    return Folding.constant(new FunctionCall(function.name(), converted, type), converted);
  }

  private List<Expression> convertAll() {
    boolean common =
        !arguments.isEmpty()
            && (function.parameter(0) == Parameter.COMMON
                || function.parameter(0) == Parameter.ORDERED);
    if (common) {
      return common();
    }
    List<Expression> converted = new ArrayList<>(arguments.size());
    for (int i = 0; i < arguments.size(); i++) {
      Expression first = converted.isEmpty() ? arguments.get(i) : converted.get(0);
      converted.add(convert(function.parameter(i), arguments.get(i), first));
    }
    return converted;
  }

  /** All of one type. */
  private List<Expression> common() {
    List<Expression> aligned = new ArrayList<>();
    for (Expression argument : alignment.combined(arguments)) {
      boolean unsigned = argument.type().isUnsigned64();
      aligned.add(
          unsigned && function.parameter(0) == Parameter.ORDERED
              ? binder.cast(argument, CommonType.ANY_INTEGER)
              : argument);
    }
    return alignment.inOneType(aligned);
  }

  private Expression convert(Parameter parameter, Expression argument, Expression first) {
    ValueType type = argument.type();
    if (type.is(Kind.NULL)) {
      return Literal.ofNull(nullType(parameter, first));
    }
    return switch (parameter) {
      case STRING ->
          switch (type.kind()) {
            case STRING -> argument;
            case INTEGER, FLOAT, DECIMAL, BOOLEAN, DATE, TIME, TIMESTAMP ->
                CONVERTING.contains(function.name())
                    ? binder.cast(argument, ValueType.STRING)
                    : mismatch(parameter, argument);
            case NULL, BINARY, DURATION, LIST, STRUCT, OTHER -> mismatch(parameter, argument);
          };
      case INTEGER ->
          type.is(Kind.INTEGER)
              ? binder.cast(argument, ValueType.INT64)
              : mismatch(parameter, argument);
      case DOUBLE ->
          type.isNumeric()
              ? binder.cast(argument, ValueType.FLOAT64)
              : mismatch(parameter, argument);
      case NUMBER -> number(argument);
      case DATE_OR_TIMESTAMP ->
          type.is(Kind.DATE) || type.is(Kind.TIMESTAMP)
              ? binder.cast(argument, MICROSECONDS)
              : mismatch(parameter, argument);
      case LIST -> type.is(Kind.LIST) ? argument : mismatch(parameter, argument);
      case ITEM -> item(argument, first.type().item());
      case SAME_LIST -> sameList(argument, first.type());
      case COMMON, ORDERED -> argument;
    };
  }

  private static ValueType nullType(Parameter parameter, Expression first) {
    return switch (parameter) {
      case STRING -> ValueType.STRING;
      case INTEGER, NUMBER -> ValueType.INT64;
      case DOUBLE -> ValueType.FLOAT64;
      case DATE_OR_TIMESTAMP -> MICROSECONDS;
      case LIST -> ValueType.EMPTY_LIST;
      case ITEM -> first.type().item();
      case SAME_LIST -> first.type();
      case COMMON, ORDERED -> ValueType.NULL;
    };
  }

  private Expression number(Expression argument) {
    ValueType type = argument.type();
    if (type.isUnsigned64()) {
      return binder.cast(argument, CommonType.ANY_INTEGER);
    }
    return switch (type.kind()) {
      case INTEGER -> binder.cast(argument, ValueType.INT64);
      case FLOAT -> binder.cast(argument, ValueType.FLOAT64);
      case DECIMAL -> argument;
      case NULL, BOOLEAN, STRING, BINARY, DATE, TIME, TIMESTAMP, DURATION, LIST, STRUCT, OTHER ->
          mismatch(Parameter.NUMBER, argument);
    };
  }

  private Expression item(Expression argument, ValueType item) {
    if (argument instanceof Literal literal) {
      return LiteralCoercion.exact(literal, item)
          .<Expression>map(exact -> exact)
          .orElseGet(() -> mismatch(item, argument));
    }
    boolean same = CommonType.of(item, argument.type()).filter(item::equals).isPresent();
    return same ? binder.cast(argument, item) : mismatch(item, argument);
  }

  private Expression sameList(Expression argument, ValueType list) {
    if (!argument.type().is(Kind.LIST)) {
      return mismatch(Parameter.SAME_LIST, argument);
    }
    ValueType item = list.item();
    if (argument instanceof Literal literal) {
      return LiteralCoercion.exact(literal, list)
          .<Expression>map(exact -> exact)
          .orElseGet(() -> mismatch(item, argument));
    }
    return CommonType.sameForm(argument.type().item(), item) ? argument : mismatch(item, argument);
  }

  private Expression mismatch(ValueType item, Expression argument) {
    throw new InvalidPredicateException(
        "'"
            + argument
            + "' is "
            + argument.type()
            + ": "
            + function.name()
            + " of a list of "
            + item
            + " takes "
            + item);
  }

  private Expression mismatch(Parameter parameter, Expression argument) {
    throw new InvalidPredicateException(
        "'"
            + argument
            + "' is "
            + argument.type()
            + ": "
            + function.signature()
            + " takes "
            + parameter.article());
  }
}
