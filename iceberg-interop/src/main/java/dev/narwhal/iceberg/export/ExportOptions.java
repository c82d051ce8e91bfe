package dev.narwhal.iceberg.export;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.Map;
import org.apache.iceberg.TableProperties;

/**
 * What an export is asked to do.
 *
 * @param formatVersion of the Iceberg table, one of {@link Strategy#formatVersions}
 * @param tableProperties properties for the table, besides those that Narwhal sets
 */
public record ExportOptions(
    Strategy strategy, int formatVersion, Map<String, String> tableProperties) {
  /**
   * @throws UnsupportedFeatureException if the strategy is not valid in the format version
   */
  public ExportOptions {
    tableProperties = Map.copyOf(tableProperties);
    if (!strategy.formatVersions().contains(formatVersion)) {
      throw new UnsupportedFeatureException(
          "strategy "
              + strategy.text()
              + " needs a table of format version "
              + strategy.defaultFormatVersion()
              + ", not "
              + formatVersion);
    }
    if (tableProperties.containsKey(TableProperties.FORMAT_VERSION)) {
      throw new IllegalArgumentException(
          "the format version is an option of its own, no table property");
    }
  }

  /** The strategy in its own format version, with no further properties. */
  public static ExportOptions of(Strategy strategy) {
    return new ExportOptions(strategy, strategy.defaultFormatVersion(), Map.of());
  }

  public ExportOptions withTableProperties(Map<String, String> properties) {
    return new ExportOptions(strategy, formatVersion, properties);
  }
}
