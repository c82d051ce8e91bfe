package dev.narwhal.iceberg.export;

import dev.narwhal.iceberg.mapping.MappingRules;
import dev.narwhal.iceberg.mapping.Unsupported;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.Map;
import org.apache.iceberg.TableProperties;

/**
 * What an export is asked to do.
 *
 * @param formatVersion of the Iceberg table, one of {@link Strategy#formatVersions}
 * @param rules for the columns; their format version is at most that of the table
 * @param tableProperties properties for the table, besides those that Narwhal sets
 */
public record ExportOptions(
    Strategy strategy, int formatVersion, MappingRules rules, Map<String, String> tableProperties) {
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
    if (rules.formatVersion() > formatVersion) {
      throw new IllegalArgumentException(
          "types of format version "
              + rules.formatVersion()
              + " in a table of format version "
              + formatVersion);
    }
    if (tableProperties.containsKey(TableProperties.FORMAT_VERSION)) {
      throw new IllegalArgumentException(
          "the format version is an option of its own, no table property");
    }
  }

  /** The strategy in its own format version, with no further properties. */
  public static ExportOptions of(Strategy strategy) {
    return of(strategy, strategy.defaultFormatVersion());
  }

  /** The strategy in a format version, all of whose types are used. */
  public static ExportOptions of(Strategy strategy, int formatVersion) {
    return new ExportOptions(
        strategy, formatVersion, MappingRules.ofVersion(formatVersion), Map.of());
  }

  public ExportOptions withTableProperties(Map<String, String> properties) {
    return new ExportOptions(strategy, formatVersion, rules, properties);
  }

  public ExportOptions withUnsupported(Unsupported policy) {
    return withRules(new MappingRules(rules.formatVersion(), policy));
  }

  public ExportOptions withRules(MappingRules newRules) {
    return new ExportOptions(strategy, formatVersion, newRules, tableProperties);
  }
}
