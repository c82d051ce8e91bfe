package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.ObjectPath;
import java.util.Map;
import java.util.Optional;

/**
 * One commit: an operation and the version it was worked out on. Source: table format sheet 2.5.
 *
 * @param readVersion u64; 0 for the commit that creates a table
 * @param uuid tells it from every other transaction; hyphenated, lower case
 * @param tag becomes the manifest's tag
 * @param properties free text; the key {@link #MESSAGE} holds a commit message
 * @param unknown what the message held besides
 */
public record Transaction(
    long readVersion,
    String uuid,
    Optional<String> tag,
    Map<String, String> properties,
    Operation operation,
    UnknownFields unknown) {
  /** Where a directory of transaction files lies, relative to the dataset root. */
  public static final String DIRECTORY = "_transactions";

  /** The property that holds the commit message. */
  public static final String MESSAGE = "__lance_commit_message";

  public Transaction {
    requireNonNull(uuid, "uuid");
    requireNonNull(tag, "tag");
    properties = Map.copyOf(properties);
    requireNonNull(operation, "operation");
    requireNonNull(unknown, "unknown");
  }

  /** A transaction with nothing but an operation, and a new random uuid. */
  public static Transaction of(long readVersion, Operation operation) {
    return of(readVersion, operation, Map.of());
  }

  /** The same with properties. */
  public static Transaction of(
      long readVersion, Operation operation, Map<String, String> properties) {
    return new Transaction(
        readVersion,
        java.util.UUID.randomUUID().toString(),
        Optional.empty(),
        properties,
        operation,
        UnknownFields.none());
  }

  /** The same with another operation. */
  Transaction withOperation(Operation other) {
    return new Transaction(readVersion, uuid, tag, properties, other, unknown);
  }

  /**
   * The name of its file below {@link #DIRECTORY}: {@code READVERSION-UUID.txn}.
   *
   * @throws IllegalArgumentException when the uuid cannot be part of a file name
   */
  public String fileName() {
    return ObjectPath.requireName(Long.toUnsignedString(readVersion) + '-' + uuid + ".txn");
  }
}
