package dev.narwhal.lance.datafile.write;

import static java.util.Locale.ROOT;

import dev.narwhal.lance.datafile.codec.Compression;
import dev.narwhal.lance.schema.LanceField;
import java.util.Optional;

/**
 * What a field's metadata asks of the writer. Source: file format sheet 7.6.
 *
 * @param plain whether values are to be stored as they are
 * @param compression a general scheme to put around values
 * @param split whether values are to be split into streams of bytes before compression
 * @param structure a layout, if one is asked for
 */
record EncodingHints(
    boolean plain, Optional<Compression> compression, Split split, Structure structure) {
  private static final String PREFIX = "lance-encoding:";

  /** For what is not told. */
  static final EncodingHints NONE =
      new EncodingHints(false, Optional.empty(), Split.AUTO, Structure.ANY);

  /** Byte-stream split. */
  enum Split {
    OFF,
    /** If it compresses better. */
    AUTO,
    ON
  }

  enum Structure {
    ANY,
    MINI_BLOCK,
    FULL_ZIP
  }

  /**
   * @throws IllegalArgumentException for a value that is not known, which names field and key
   */
  static EncodingHints of(LanceField field) {
    String compression = value(field, "compression");
    return new EncodingHints(
        compression.equals("none"),
        switch (compression) {
          case "", "none", "fsst" -> Optional.empty();
          case "zstd" -> Optional.of(Compression.ZSTD);
          case "lz4" -> Optional.of(Compression.LZ4);
          default -> throw unknown(field, "compression", "zstd, lz4, fsst or none");
        },
        switch (value(field, "bss")) {
          case "off" -> Split.OFF;
          case "", "auto" -> Split.AUTO;
          case "on" -> Split.ON;
          default -> throw unknown(field, "bss", "off, auto or on");
        },
        switch (value(field, "structural-encoding")) {
          case "" -> Structure.ANY;
          case "miniblock" -> Structure.MINI_BLOCK;
          case "fullzip" -> Structure.FULL_ZIP;
          default -> throw unknown(field, "structural-encoding", "miniblock or fullzip");
        });
  }

  private static String value(LanceField field, String key) {
    return field.metadata().getOrDefault(PREFIX + key, "").toLowerCase(ROOT);
  }

  private static IllegalArgumentException unknown(LanceField field, String key, String known) {
    return new IllegalArgumentException(
        "field '%s': %s%s is '%s', expected %s"
            .formatted(field.name(), PREFIX, key, value(field, key), known));
  }
}
