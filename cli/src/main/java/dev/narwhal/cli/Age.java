package dev.narwhal.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A duration: numbers with units, {@code 7d} or {@code 1d12h}, or ISO-8601, {@code P7D}. */
final class Age implements ITypeConverter<Duration> {
  private static final Pattern TEXT = Pattern.compile("([0-9]+(ms|[smhdw]))+");
  private static final Duration LONGEST = Duration.ofDays(3_652_425);
  private static final Pattern PART = Pattern.compile("([0-9]+)(ms|[smhdw])");

  @Override
  public Duration convert(String value) {
    try {
      Duration age = value.startsWith("P") ? Duration.parse(value) : parse(value);
      if (!age.isNegative() && age.compareTo(LONGEST) <= 0) {
        return age;
      }
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      // told below, like a negative one, or one from before there were clocks
    }
    throw new TypeConversionException(
        "'" + value + "' is no duration up to 10000 years, expected one such as 7d, 12h or P7D");
  }

  private static Duration parse(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (!TEXT.matcher(lower).matches()) {
      throw new NumberFormatException(text);
    }
    Duration sum = Duration.ZERO;
    Matcher part = PART.matcher(lower);
    while (part.find()) {
      sum = sum.plus(unit(part.group(2)).multipliedBy(Long.parseLong(part.group(1))));
    }
    return sum;
  }

  private static Duration unit(String name) {
    return switch (name) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      case "d" -> Duration.ofDays(1);
      case "w" -> Duration.ofDays(7);
      default -> throw new NumberFormatException(name);
    };
  }
}
