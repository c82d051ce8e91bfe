package dev.narwhal.iceberg.export;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** How deleted rows of a dataset are absent from its Iceberg table. */
public enum Strategy {
  /** Every physical row in place, one deletion vector for each data file with deleted rows. */
  DELETION_VECTORS("deletion-vectors"),
  /** Every physical row in place, positions of the deleted ones in Parquet files. */
  POSITION_DELETES("position-deletes"),
  /** Live rows only. */
  COPY_ON_WRITE("copy-on-write");

  private final String text;

  Strategy(String text) {
    this.text = text;
  }

  /** The name on the command line and in reports. */
  public String text() {
    return text;
  }

  /** Format versions of Iceberg in which the strategy is valid, the default first. */
  public List<Integer> formatVersions() {
    return switch (this) {
      case DELETION_VECTORS -> List.of(3);
      case POSITION_DELETES -> List.of(2);
      case COPY_ON_WRITE -> List.of(3, 2);
    };
  }

  public int defaultFormatVersion() {
    return formatVersions().get(0);
  }

  /** Whether deleted rows keep their places, and so their values, in the data files. */
  public boolean keepsDeadRows() {
    return this != COPY_ON_WRITE;
  }

  /**
   * The strategy of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static Strategy parse(String text) {
    for (Strategy strategy : values()) {
      if (strategy.text.equals(text)) {
        return strategy;
      }
    }
    throw new IllegalArgumentException(
        "unknown strategy "
            + text
            + ", expected one of "
            + Arrays.stream(values()).map(Strategy::text).collect(Collectors.joining(", ")));
  }
}
