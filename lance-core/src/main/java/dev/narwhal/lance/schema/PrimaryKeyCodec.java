package dev.narwhal.lance.schema;

import dev.narwhal.lance.proto.file.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * Which columns a table declares as its primary key, which nobody enforces: flags in the field's
 * message, of which the record keeps only the bytes, or the metadata that they are made from.
 * Source: table format sheet 2.9.
 */
public final class PrimaryKeyCodec {
  private PrimaryKeyCodec() {}

  /**
   * The columns of the key: those with a position by it, then the others in the schema's order;
   * none when the table declares no key.
   */
  public static List<LanceField> primaryKey(LanceSchema schema) {
    record Part(LanceField field, long position) {}
    List<Part> parts = new ArrayList<>();
    for (LanceField field : schema.fields()) {
      Field message =
          UnknownFieldsCodec.restore(Field.newBuilder(), field.unknown()).buildPartial();
      long position = Integer.toUnsignedLong(message.getUnenforcedPrimaryKeyPosition());
      OptionalInt told = KeyMetadata.primary(field.metadata());
      if (message.getUnenforcedPrimaryKey() || position > 0 || told.isPresent()) {
        long place = position > 0 ? position : told.orElse(0);
        parts.add(new Part(field, place == 0 ? Long.MAX_VALUE : place));
      }
    }
    parts.sort(Comparator.comparingLong(Part::position));
    return parts.stream().map(Part::field).toList();
  }
}
