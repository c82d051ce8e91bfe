package dev.narwhal.conformance;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/**
 * Rows in the order in which they are added, as one digest and the first of them as text.
 *
 * <p>The digest is the SHA-256 over each row's canonical JSON object and a newline, in UTF-8: the
 * {@code rows_sha256} of the fixtures. A row holds the columns of its batch, in the batch's order.
 */
final class CanonicalRows {
  /** How many rows {@link Result#firstRows} holds at most. */
  static final int FIRST_ROWS = 50;

  /** Longest text of one column, in characters, that {@link Result#firstRows} shows in full. */
  private static final int FULL_TEXT = 400;

  private static final DictionaryProvider NO_DICTIONARIES =
      new DictionaryProvider.MapDictionaryProvider();

  private final MessageDigest digest = sha256();
  private final List<String> firstRows = new ArrayList<>();
  private final StringBuilder line = new StringBuilder();
  private long rows;

  /**
   * What was added.
   *
   * @param rows number of rows
   * @param sha256 digest of all of them, lower-case hex
   * @param firstRows canonical JSON of the first {@value #FIRST_ROWS}; a column with a text of over
   *     400 characters is shown by its size in UTF-8 and its digest
   */
  record Result(long rows, String sha256, List<String> firstRows) {
    Result {
      firstRows = List.copyOf(firstRows);
    }
  }

  /** Adds the rows of a batch without dictionary-encoded columns. */
  void add(VectorSchemaRoot batch) {
    add(batch, NO_DICTIONARIES);
  }

  void add(VectorSchemaRoot batch, DictionaryProvider dictionaries) {
    add(batch.getFieldVectors(), batch.getRowCount(), dictionaries);
  }

  void add(List<FieldVector> columns, int count, DictionaryProvider dictionaries) {
    List<String> names = columns.stream().map(FieldVector::getName).toList();
    List<CanonicalValue> values =
        columns.stream().map(column -> CanonicalValue.of(column, dictionaries)).toList();
    CanonicalValue row = CanonicalValue.object(names, values);
    CanonicalValue abbreviated =
        CanonicalValue.object(names, values.stream().map(CanonicalRows::abbreviated).toList());
    for (int i = 0; i < count; i++) {
      if (firstRows.size() < FIRST_ROWS) {
        StringBuilder first = new StringBuilder();
        abbreviated.append(first, i);
        firstRows.add(first.toString());
      }
      line.setLength(0);
      row.append(line, i);
      line.append('\n');
      digest.update(utf8(line));
      rows++;
    }
  }

  /** The result so far; more rows may follow. */
  Result result() {
    try {
      MessageDigest soFar = (MessageDigest) digest.clone();
      return new Result(rows, HexFormat.of().formatHex(soFar.digest()), firstRows);
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("SHA-256 of this JVM cannot be cloned", e);
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  private static CanonicalValue abbreviated(CanonicalValue value) {
    return (out, i) -> {
      int start = out.length();
      value.append(out, i);
      if (out.codePointCount(start, out.length()) > FULL_TEXT) {
        byte[] text = utf8(out.substring(start));
        out.setLength(start);
        out.append("{\"$len\":").append(text.length).append(",\"$sha256\":\"");
        out.append(HexFormat.of().formatHex(sha256().digest(text))).append("\"}");
      }
    };
  }

  private static byte[] utf8(CharSequence text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
