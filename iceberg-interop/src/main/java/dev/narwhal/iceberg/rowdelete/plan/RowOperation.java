package dev.narwhal.iceberg.rowdelete.plan;

import java.util.Locale;
import org.apache.iceberg.IsolationLevel;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;

/** The operations that choose mode and isolation by table properties of their own. */
public enum RowOperation {
  DELETE(
      TableProperties.DELETE_MODE,
      TableProperties.DELETE_MODE_DEFAULT,
      TableProperties.DELETE_ISOLATION_LEVEL,
      TableProperties.DELETE_ISOLATION_LEVEL_DEFAULT),
  UPDATE(
      TableProperties.UPDATE_MODE,
      TableProperties.UPDATE_MODE_DEFAULT,
      TableProperties.UPDATE_ISOLATION_LEVEL,
      TableProperties.UPDATE_ISOLATION_LEVEL_DEFAULT),
  MERGE(
      TableProperties.MERGE_MODE,
      TableProperties.MERGE_MODE_DEFAULT,
      TableProperties.MERGE_ISOLATION_LEVEL,
      TableProperties.MERGE_ISOLATION_LEVEL_DEFAULT);

  private final String modeProperty;
  private final String defaultMode;
  private final String isolationProperty;
  private final String defaultIsolation;

  RowOperation(
      String modeProperty, String defaultMode, String isolationProperty, String defaultIsolation) {
    this.modeProperty = modeProperty;
    this.defaultMode = defaultMode;
    this.isolationProperty = isolationProperty;
    this.defaultIsolation = defaultIsolation;
  }

  /**
   * The mode that a table's properties ask for; copy-on-write where they do not say.
   *
   * @throws IllegalArgumentException naming the property, if its value is no mode
   */
  public DeleteMode mode(Table table) {
    String value = table.properties().getOrDefault(modeProperty, defaultMode);
    try {
      return DeleteMode.parse(value.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "table property " + modeProperty + ": " + e.getMessage(), e);
    }
  }

  /**
   * The isolation that a table's properties ask for; serializable where they do not say.
   *
   * @throws IllegalArgumentException naming the property, if its value is no isolation level
   */
  public IsolationLevel isolation(Table table) {
    String value = table.properties().getOrDefault(isolationProperty, defaultIsolation);
    try {
      return IsolationLevel.fromName(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "table property " + isolationProperty + ": " + e.getMessage(), e);
    }
  }
}
