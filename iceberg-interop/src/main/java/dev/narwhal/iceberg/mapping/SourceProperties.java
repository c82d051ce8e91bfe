package dev.narwhal.iceberg.mapping;

import java.util.Map;
import org.apache.iceberg.util.PropertyUtil;

/** Table properties that say where the rows of an exported table came from, and how. */
public final class SourceProperties {
  /** URI of the Lance dataset. */
  public static final String SOURCE_URI = "narwhal.lance.source-uri";

  /** Version of the Lance dataset that the table's current snapshot equals. */
  public static final String VERSION = "narwhal.lance.version";

  /** {@link FieldIds} as JSON. */
  public static final String FIELD_IDS = "narwhal.lance.field-ids";

  /** {@link Unsupported} policy of the export. */
  public static final String UNSUPPORTED = "narwhal.lance.unsupported";

  /** Format version of Iceberg whose types the export used. */
  public static final String TYPES = "narwhal.lance.types-of-format-version";

  private SourceProperties() {}

  /**
   * The rules by which the columns of a table came about.
   *
   * @param formatVersion of the table
   * @throws IllegalArgumentException if the properties hold what no export writes
   */
  public static MappingRules rules(Map<String, String> properties, int formatVersion) {
    String policy = properties.getOrDefault(UNSUPPORTED, Unsupported.FAIL.text());
    return new MappingRules(
        PropertyUtil.propertyAsInt(properties, TYPES, formatVersion), Unsupported.parse(policy));
  }
}
