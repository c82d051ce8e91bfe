package dev.narwhal.cli.source;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.write.RowSource;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Rows of a format that a library decodes: their failures name the file, as the user gave it, and
 * the batch. What the library throws about damaged bytes, of whatever type, is an {@link
 * IOException} here.
 */
final class PlacedRows implements RowSource {
  private static final Pattern JAVA_OBJECT =
      Pattern.compile("( Struct:)? ?[\\w.$]+@[0-9a-f]{4,8}\\b");

  private final Path file;
  private final RowSource rows;
  private long batch;

  PlacedRows(Path file, RowSource rows) {
    this.file = file;
    this.rows = rows;
  }

  @Override
  public Schema schema() throws IOException {
    return rows.schema();
  }

  @Override
  public DictionaryProvider dictionaries() {
    return rows.dictionaries();
  }

  @Override
  public boolean next() throws IOException {
    batch++;
    try {
      return rows.next();
    } catch (IOException | RuntimeException e) {
      throw failure(file, "batch " + batch + ": ", e);
    }
  }

  @Override
  public VectorSchemaRoot batch() throws IOException {
    return rows.batch();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }

  /**
   * What a failure to decode a file is to the user.
   *
   * @param place in the file, ended by a colon and a space; or empty
   * @throws UnsupportedFeatureException if it is one; with the file
   */
  static IOException failure(Path file, String place, Exception failure) {
    if (failure instanceof UnsupportedFeatureException unsupported) {
      throw unsupported.in(file.toString());
    }
    return failure instanceof FileSystemException system
        ? system
        : new IOException(
            file + ": " + place + "damaged, or not what its name says: " + reason(failure),
            failure);
  }

  /** What the innermost cause says, without the names of Java objects. */
  private static String reason(Throwable failure) {
    String words = "";
    for (Throwable at = failure; at != null; at = at.getCause()) {
      words = at.getMessage() == null ? "bytes that cannot be decoded" : at.getMessage();
    }
    return JAVA_OBJECT.matcher(words).replaceAll("");
  }
}
