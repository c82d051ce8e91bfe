package dev.narwhal.iceberg.mapping;

/** Table properties that say where the rows of an exported table came from. */
public final class SourceProperties {
  /** URI of the Lance dataset. */
  public static final String SOURCE_URI = "narwhal.lance.source-uri";

  /** Version of the Lance dataset that the table's current snapshot equals. */
  public static final String VERSION = "narwhal.lance.version";

  /** {@link FieldIds} as JSON. */
  public static final String FIELD_IDS = "narwhal.lance.field-ids";

  private SourceProperties() {}
}
