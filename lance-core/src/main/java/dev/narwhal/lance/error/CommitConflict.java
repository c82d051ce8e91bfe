package dev.narwhal.lance.error;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Two commits that do not go together.
 *
 * @param operation name of the one that lost
 * @param readVersion version that it was worked out on, u64
 * @param otherOperation name of the one that came first
 * @param otherVersion version that the other made, u64
 * @param rowAddresses up to {@link #MAX_ROWS} rows that both touched, where that is the reason
 */
public record CommitConflict(
    String operation,
    long readVersion,
    String otherOperation,
    long otherVersion,
    List<Long> rowAddresses)
    implements Serializable {
  /** Rows that are named at most. */
  public static final int MAX_ROWS = 5;

  public CommitConflict {
    rowAddresses = List.copyOf(rowAddresses);
    if (rowAddresses.size() > MAX_ROWS) {
      throw new IllegalArgumentException(
          "at most " + MAX_ROWS + " rows are named: " + rowAddresses.size());
    }
  }

  /** The conflict in words. */
  public String message() {
    String rows =
        rowAddresses.stream()
            .map(address -> (address >>> 32) + ":" + (address & 0xFFFF_FFFFL))
            .collect(Collectors.joining(", "));
    return operation
        + " on version "
        + Long.toUnsignedString(readVersion)
        + " lost to "
        + otherOperation
        + ", which made version "
        + Long.toUnsignedString(otherVersion)
        + (rows.isEmpty() ? "" : "; both touch rows (fragment:offset) " + rows);
  }
}
