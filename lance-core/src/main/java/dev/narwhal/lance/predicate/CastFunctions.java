package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Functions that are conversions, or constants of a statement: {@code now()} is the time at which
 * the predicate was parsed, for each row.
 */
final class CastFunctions {
  private static final Map<String, TimeUnit> TO_TIMESTAMP =
      Map.of(
          "to_timestamp", TimeUnit.SECOND,
          "to_timestamp_seconds", TimeUnit.SECOND,
          "to_timestamp_millis", TimeUnit.MILLISECOND,
          "to_timestamp_micros", TimeUnit.MICROSECOND,
          "to_timestamp_nanos", TimeUnit.NANOSECOND);

  private static final Set<String> NOW = Set.of("now", "current_timestamp");
  private static final Set<String> TODAY = Set.of("current_date", "today");
  private static final String TO_DATE = "to_date";

  static final Set<String> NAMES = names();

  private CastFunctions() {}

  private static Set<String> names() {
    Set<String> names = new TreeSet<>(TO_TIMESTAMP.keySet());
    names.addAll(NOW);
    names.addAll(TODAY);
    names.add(TO_DATE);
    return Set.copyOf(names);
  }

  /** What a call stands for; empty if it is no such function. */
  static Optional<Expression> rewrite(
      String name, List<Expression> arguments, Binder binder, Instant now) {
    if (!NAMES.contains(name)) {
      return Optional.empty();
    }
    boolean constant = NOW.contains(name) || TODAY.contains(name);
    if (arguments.size() != (constant ? 0 : 1)) {
      throw new InvalidPredicateException(
          name
              + " takes "
              + (constant ? "no argument" : "one argument")
              + ", not "
              + arguments.size());
    }
    LocalDateTime utc = LocalDateTime.ofInstant(now, ZoneOffset.UTC);
    if (TODAY.contains(name)) {
      return Optional.of(Literal.of(utc.toLocalDate().toEpochDay(), ValueType.DATE));
    }
    if (constant) {
      ValueType type = ValueType.of(new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC"));
      return Optional.of(Literal.of(TemporalText.toUnits(utc, TimeUnit.MICROSECOND), type));
    }
    Expression argument = arguments.get(0);
    if (name.equals(TO_DATE)) {
      return Optional.of(binder.cast(argument, ValueType.DATE));
    }
    TimeUnit unit = TO_TIMESTAMP.getOrDefault(name, TimeUnit.SECOND);
    boolean number = argument.type().is(Kind.INTEGER);
    return Optional.of(
        binder.cast(argument, ValueType.timestamp(number ? unit : finest(name, unit))));
  }

  /** Text read by {@code to_timestamp} keeps all its digits. */
  private static TimeUnit finest(String name, TimeUnit unit) {
    return name.equals("to_timestamp") ? TimeUnit.NANOSECOND : unit;
  }
}
