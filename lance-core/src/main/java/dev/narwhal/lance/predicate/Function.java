package dev.narwhal.lance.predicate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function of the dialect: what it takes, what it gives, how.
 *
 * @param name canonical name
 * @param parameters kinds of its arguments; the last stands for all further ones if variadic
 * @param required number of arguments that cannot be left out
 * @param variadic takes any number past {@code required}
 * @param result type of the result, by the converted arguments' types
 * @param nulls what a null argument means
 * @param body the value for one row; its arguments are of the classes that {@link
 *     Expression.Literal} lists, lists being {@code List} of {@code Optional}s, a null one {@code
 *     null}
 */
record Function(
    String name,
    List<Parameter> parameters,
    int required,
    boolean variadic,
    Result result,
    Nulls nulls,
    Body body) {

  /** What an argument may be, and what it is converted to. */
  enum Parameter {
    STRING("a string"),
    /** Converted to int64. */
    INTEGER("an integer"),
    /** Converted to double. */
    DOUBLE("a number"),
    /** Integers to int64 (uint64 to a decimal), floats to double, decimals stay. */
    NUMBER("a number"),
    /** Converted to a timestamp in microseconds. */
    DATE_OR_TIMESTAMP("a date or timestamp"),
    LIST("a list"),
    /** Of the type of the first argument's items. */
    ITEM("an item of the list"),
    /** A list of the type of the first argument. */
    SAME_LIST("a list of the same items"),
    /** All such arguments of one type. */
    COMMON("a value"),
    /** The same, and {@code compareTo} orders the values: uint64 as a decimal. */
    ORDERED("a value");

    private final String article;

    Parameter(String article) {
      this.article = article;
    }

    String article() {
      return article;
    }
  }

  /** Type of the result. */
  interface Result {
    ValueType of(List<ValueType> arguments);
  }

  /** What null arguments mean. */
  enum Nulls {
    /** A null argument makes the result null, the body is not asked. */
    STRICT,
    /** The body sees nulls. */
    SEEN
  }

  /** One value. Throws ArithmeticException or IllegalArgumentException saying what is wrong. */
  interface Body {
    @Nullable Object apply(@Nullable Object[] arguments);
  }

  Function {
    parameters = List.copyOf(parameters);
  }

  Parameter parameter(int index) {
    return parameters.get(Math.min(index, parameters.size() - 1));
  }

  boolean takes(int count) {
    return count >= required && (variadic || count <= parameters.size());
  }

  /** {@code left(a string, an integer)}. */
  String signature() {
    StringBuilder text = new StringBuilder(name).append('(');
    for (int i = 0; i < parameters.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(i >= required ? "[" : "");
      text.append(parameters.get(i).article()).append(i >= required ? "]" : "");
    }
    return text.append(variadic ? ", ..)" : ")").toString();
  }

  /** A strict function. */
  static Function strict(String name, Result result, Body body, Parameter... parameters) {
    return new Function(
        name, List.of(parameters), parameters.length, false, result, Nulls.STRICT, body);
  }

  /** The same with the last {@code count} arguments left to the caller. */
  Function optional(int count) {
    return new Function(name, parameters, parameters.size() - count, variadic, result, nulls, body);
  }

  /** The same that sees nulls, and takes any number of arguments from {@code least}. */
  Function variadic(int least) {
    return new Function(name, parameters, least, true, result, Nulls.SEEN, body);
  }

  Function seeingNulls() {
    return new Function(name, parameters, required, variadic, result, Nulls.SEEN, body);
  }

  static Result fixed(ValueType type) {
    return arguments -> type;
  }
}
