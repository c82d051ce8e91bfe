package dev.narwhal.lance.schema;

import dev.narwhal.lance.proto.file.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which columns a table declares as its primary key, which nobody enforces: flags in the field's
 * message, of which the record keeps only the bytes, or the metadata that they are made from.
 * Source: table format sheet 2.9.
 */
public final class PrimaryKeyCodec {
  /** Metadata of a field that is of the key. */
  public static final String KEY = "lance-schema:unenforced-primary-key";

  /** Metadata of its place in the key, from 1. */
  public static final String POSITION_KEY = KEY + ":position";

  private static final Set<String> YES = Set.of("true", "1", "yes");

  private PrimaryKeyCodec() {}

  /**
   * The columns of the key: those with a position by it, then the others in the schema's order;
   * none when the table declares no key.
   */
  public static List<LanceField> primaryKey(LanceSchema schema) {
    record Part(LanceField field, long position) {}
    List<Part> parts = new ArrayList<>();
    for (LanceField field : schema.fields()) {
      Field message = UnknownFieldsCodec.restore(Field.newBuilder(), field.unknown()).buildPartial();
      long position = Integer.toUnsignedLong(message.getUnenforcedPrimaryKeyPosition());
      if (position == 0) {
        position = position(field.metadata());
      }
      if (message.getUnenforcedPrimaryKey() || position > 0 || isFlagged(field.metadata())) {
        parts.add(new Part(field, position == 0 ? Long.MAX_VALUE : position));
      }
    }
    parts.sort(Comparator.comparingLong(Part::position));
    return parts.stream().map(Part::field).toList();
  }

  private static boolean isFlagged(Map<String, String> metadata) {
    return YES.contains(metadata.getOrDefault(KEY, "").toLowerCase(Locale.ROOT));
  }

  private static long position(Map<String, String> metadata) {
    String text = metadata.getOrDefault(POSITION_KEY, "");
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
  }
}
