package dev.narwhal.lance.predicate;

import static dev.narwhal.lance.predicate.Function.Parameter.COMMON;
import static dev.narwhal.lance.predicate.Function.Parameter.DATE_OR_TIMESTAMP;
import static dev.narwhal.lance.predicate.Function.Parameter.DOUBLE;
import static dev.narwhal.lance.predicate.Function.Parameter.INTEGER;
import static dev.narwhal.lance.predicate.Function.Parameter.NUMBER;
import static dev.narwhal.lance.predicate.Function.Parameter.ORDERED;
import static dev.narwhal.lance.predicate.Function.Parameter.STRING;
import static dev.narwhal.lance.predicate.Function.fixed;
import static dev.narwhal.lance.predicate.Function.strict;

import dev.narwhal.lance.predicate.Function.Parameter;
import dev.narwhal.lance.predicate.Function.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

/**
 * The functions of the dialect in one table, after DataFusion's of the same name. {@code substr},
 * {@code ceil}, {@code floor}, {@code trim}, {@code sign} and {@code extract} are Narwhal's: real
 * Lance 7.0.0 refuses them as special syntax (it knows {@code signum}).
 */
final class Functions {
  static final String CONCAT_OPERATOR = "string_concat";
  static final String NEGATE = "negate";
  static final String ELEMENT = "array_element";
  static final String LIST = "make_array";
  static final String REGEXP_MATCH = "regexp_match";
  static final String RANDOM = "random";

  /** Known, and never accepted in a condition on one row. */
  private static final Set<String> AGGREGATES =
      Set.of(
          "count",
          "sum",
          "avg",
          "min",
          "max",
          "row_number",
          "rank",
          "dense_rank",
          "lag",
          "lead",
          "first_value",
          "last_value",
          "array_agg",
          "stddev",
          "median");

  private static final Result BOOLEAN_RESULT = fixed(ValueType.BOOLEAN);
  private static final Result INT_RESULT = fixed(ValueType.INT64);
  private static final Result DOUBLE_RESULT = fixed(ValueType.FLOAT64);
  private static final Result STRING_RESULT = fixed(ValueType.STRING);
  private static final Result FIRST = arguments -> arguments.get(0);
  private static final Result SECOND = arguments -> arguments.get(1);

  private static final Map<String, Function> TABLE = new LinkedHashMap<>();

  private Functions() {}

  static {
    // numbers
    add(strict("abs", FIRST, MathFunctions::abs, NUMBER));
    add(strict("ceil", FIRST, MathFunctions::ceil, NUMBER), "ceiling");
    add(strict("floor", FIRST, MathFunctions::floor, NUMBER));
    add(strict("round", FIRST, MathFunctions::round, NUMBER, INTEGER).optional(1));
    add(strict("trunc", FIRST, MathFunctions::trunc, NUMBER));
    add(strict("sign", FIRST, MathFunctions::sign, NUMBER), "signum");
    add(strict("power", DOUBLE_RESULT, MathFunctions::power, DOUBLE, DOUBLE), "pow");
    add(strict("isnan", BOOLEAN_RESULT, MathFunctions::isNan, DOUBLE));
    add(strict("nanvl", DOUBLE_RESULT, MathFunctions::nanvl, DOUBLE, DOUBLE));
    real("sqrt", Math::sqrt);
    real("cbrt", Math::cbrt);
    real("exp", Math::exp);
    real("ln", Math::log);
    add(strict("log", DOUBLE_RESULT, MathFunctions::log, DOUBLE, DOUBLE).optional(1), "log10");
    real("log2", x -> Math.log(x) / Math.log(2));
    real("sin", Math::sin);
    real("cos", Math::cos);
    real("tan", Math::tan);
    add(strict("gcd", INT_RESULT, MathFunctions::greatestDivisor, INTEGER, INTEGER));
    add(
        new Function(
            "pi", List.of(), 0, false, DOUBLE_RESULT, Function.Nulls.STRICT, a -> Math.PI));
    real("radians", Math::toRadians);
    real("degrees", Math::toDegrees);
    add(
        new Function(
            RANDOM,
            List.of(),
            0,
            false,
            DOUBLE_RESULT,
            Function.Nulls.STRICT,
            a -> ThreadLocalRandom.current().nextDouble()));

    // strings
    add(
        strict("character_length", INT_RESULT, StringFunctions::length, STRING),
        "length",
        "char_length");
    add(strict("octet_length", INT_RESULT, StringFunctions::octetLength, STRING));
    add(strict("bit_length", INT_RESULT, StringFunctions::bitLength, STRING));
    add(strict("lower", STRING_RESULT, StringFunctions::lower, STRING));
    add(strict("upper", STRING_RESULT, StringFunctions::upper, STRING));
    add(strict("btrim", STRING_RESULT, StringFunctions::trim, STRING, STRING).optional(1), "trim");
    add(strict("ltrim", STRING_RESULT, StringFunctions::trimLeft, STRING, STRING).optional(1));
    add(strict("rtrim", STRING_RESULT, StringFunctions::trimRight, STRING, STRING).optional(1));
    add(strict("starts_with", BOOLEAN_RESULT, StringFunctions::startsWith, STRING, STRING));
    add(strict("ends_with", BOOLEAN_RESULT, StringFunctions::endsWith, STRING, STRING));
    add(strict("contains", BOOLEAN_RESULT, StringFunctions::contains, STRING, STRING));
    add(
        strict("strpos", INT_RESULT, StringFunctions::position, STRING, STRING),
        "instr",
        "position");
    add(
        strict("substr", STRING_RESULT, StringFunctions::substring, STRING, INTEGER, INTEGER)
            .optional(1),
        "substring");
    add(strict("left", STRING_RESULT, StringFunctions::left, STRING, INTEGER));
    add(strict("right", STRING_RESULT, StringFunctions::right, STRING, INTEGER));
    add(strict("reverse", STRING_RESULT, StringFunctions::reverse, STRING));
    add(strict("replace", STRING_RESULT, StringFunctions::replace, STRING, STRING, STRING));
    add(strict("repeat", STRING_RESULT, StringFunctions::repeat, STRING, INTEGER));
    add(strict("ascii", INT_RESULT, StringFunctions::firstCharacter, STRING));
    add(strict("chr", STRING_RESULT, StringFunctions::character, INTEGER));
    add(strict("to_hex", STRING_RESULT, StringFunctions::hexadecimal, INTEGER));
    add(strict("initcap", STRING_RESULT, StringFunctions::capitals, STRING));
    add(
        strict("lpad", STRING_RESULT, StringFunctions::padLeft, STRING, INTEGER, STRING)
            .optional(1));
    add(
        strict("rpad", STRING_RESULT, StringFunctions::padRight, STRING, INTEGER, STRING)
            .optional(1));
    add(strict("concat_ws", STRING_RESULT, StringFunctions::join, STRING, STRING).variadic(2));
    add(strict("split_part", STRING_RESULT, StringFunctions::splitPart, STRING, STRING, INTEGER));
    add(strict("concat", STRING_RESULT, StringFunctions::concat, STRING).variadic(1));
    add(strict(CONCAT_OPERATOR, STRING_RESULT, StringFunctions::concat, STRING, STRING));
    add(
        strict("regexp_like", BOOLEAN_RESULT, RegexFunctions::matches, STRING, STRING, STRING)
            .optional(1));
    add(
        strict(REGEXP_MATCH, BOOLEAN_RESULT, RegexFunctions::matchesOrFalse, STRING, STRING, STRING)
            .optional(1)
            .seeingNulls());

    // any values
    add(strict("coalesce", FIRST, GeneralFunctions::coalesce, COMMON).variadic(1));
    add(strict("nullif", FIRST, GeneralFunctions::nullIf, COMMON, COMMON).seeingNulls());
    add(strict("greatest", FIRST, GeneralFunctions::greatest, ORDERED).variadic(1));
    add(strict("least", FIRST, GeneralFunctions::least, ORDERED).variadic(1));

    add(strict("nvl", FIRST, GeneralFunctions::coalesce, COMMON, COMMON).seeingNulls(), "ifnull");

    // lists
    add(
        strict("array_has", BOOLEAN_RESULT, ListFunctions::has, Parameter.LIST, Parameter.ITEM),
        "array_contains",
        "list_has",
        "list_contains");
    add(
        strict(
            "array_has_any",
            BOOLEAN_RESULT,
            ListFunctions::hasAny,
            Parameter.LIST,
            Parameter.SAME_LIST),
        "list_has_any",
        "arrays_overlap");
    add(
        strict(
                "array_has_all",
                BOOLEAN_RESULT,
                ListFunctions::hasAll,
                Parameter.LIST,
                Parameter.SAME_LIST)
            .seeingNulls(),
        "list_has_all");
    add(
        strict("array_length", INT_RESULT, ListFunctions::length, Parameter.LIST, INTEGER)
            .optional(1),
        "list_length",
        "cardinality");
    add(
        strict(
            "array_position", INT_RESULT, ListFunctions::position, Parameter.LIST, Parameter.ITEM),
        "list_position");
    add(
        strict(ELEMENT, a -> a.get(0).item(), ListFunctions::element, Parameter.LIST, INTEGER),
        "list_element",
        "array_extract");
    add(strict(LIST, Functions::listOf, ListFunctions::of, COMMON).variadic(0), "make_list");

    // dates; those that are conversions or constants are in CastFunctions
    add(
        strict("date_part", DOUBLE_RESULT, DateFunctions::part, STRING, DATE_OR_TIMESTAMP),
        "datepart");
    add(
        strict("date_trunc", SECOND, DateFunctions::truncate, STRING, DATE_OR_TIMESTAMP),
        "datetrunc");

    // operators
    add(strict(NEGATE, FIRST, MathFunctions::negate, NUMBER));
  }

  private static ValueType listOf(List<ValueType> items) {
    return items.isEmpty()
        ? ValueType.EMPTY_LIST
        : ValueType.listOf(ListFunctions.itemField(items.get(0)));
  }

  private static void real(String name, DoubleUnaryOperator operator) {
    add(strict(name, DOUBLE_RESULT, a -> operator.applyAsDouble(MathFunctions.real(a[0])), DOUBLE));
  }

  private static void add(Function function, String... aliases) {
    TABLE.put(function.name(), function);
    for (String alias : aliases) {
      TABLE.put(alias, function);
    }
  }

  /** The function of a lower-case name or alias. */
  static Optional<Function> find(String name) {
    return Optional.ofNullable(TABLE.get(name));
  }

  static boolean isAggregate(String name) {
    return AGGREGATES.contains(name);
  }

  /** Names that a user may write. */
  static List<String> names() {
    return Stream.concat(TABLE.keySet().stream(), CastFunctions.NAMES.stream())
        .filter(name -> !name.equals(NEGATE) && !name.equals(CONCAT_OPERATOR))
        .sorted()
        .toList();
  }
}
