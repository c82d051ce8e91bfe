package dev.narwhal.cli.report;

import java.util.Locale;

/** Numbers for people: three digits that count, and a unit. */
final class Quantity {
  private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private Quantity() {}

  /** Decimal units: 1 kB is 1,000 bytes. */
  static String bytes(double bytes) {
    int unit = 0;
    double value = bytes;
    while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
      value /= 1000;
      unit++;
    }
    return (unit == 0 ? count((long) value) : digits(value)) + " " + BYTE_UNITS[unit];
  }

  static String millis(double millis) {
    return millis >= 9_999.5 ? digits(millis / 1000) + " s" : digits(millis) + " ms";
  }

  static String factor(double factor) {
    return digits(factor) + "\u00d7";
  }

  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static String digits(double value) {
    if (value >= 99.95) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (value >= 9.995) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
