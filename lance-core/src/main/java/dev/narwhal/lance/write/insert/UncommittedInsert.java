package dev.narwhal.lance.write.insert;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import dev.narwhal.lance.transaction.TransactionCodec;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * New rows whose data files are written and which are still to be committed, by whomever they are
 * handed to, together with those of other workers. Goes from one process to another by Java
 * serialisation.
 */
public final class UncommittedInsert implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] transaction;
  private final long rows;
  private final long bytesWritten;
  private final boolean stableRowIds;

  UncommittedInsert(Transaction transaction, long rows, long bytesWritten, boolean stableRowIds) {
    ByteBuffer encoded = TransactionCodec.encode(transaction);
    this.transaction = new byte[encoded.remaining()];
    encoded.get(this.transaction);
    this.rows = rows;
    this.bytesWritten = bytesWritten;
    this.stableRowIds = stableRowIds;
  }

  /** Version that it was prepared for; 0 for a table that is not there yet. */
  public long readVersion() {
    return decoded().readVersion();
  }

  /** Rows in its files. */
  public long rows() {
    return rows;
  }

  /** Bytes of its files. */
  public long bytesWritten() {
    return bytesWritten;
  }

  /** The new fragments, all with id 0. */
  public List<Fragment> fragments() {
    return schemaAndFragments().fragments();
  }

  /** Whether rows with stable ids were asked for. */
  boolean stableRowIds() {
    return stableRowIds;
  }

  /** The schema that the table is to have; empty for an append. */
  Optional<LanceSchema> schema() {
    return schemaAndFragments().schema();
  }

  private record Content(Optional<LanceSchema> schema, List<Fragment> fragments) {}

  private Content schemaAndFragments() {
    Operation operation = decoded().operation();
    if (operation instanceof Operation.Append append) {
      return new Content(Optional.empty(), append.fragments());
    }
    if (operation instanceof Operation.Overwrite overwrite) {
      return new Content(Optional.of(overwrite.schema()), overwrite.fragments());
    }
    throw new LanceFormatException("a " + operation.name() + " was handed over as an insert");
  }

  private Transaction decoded() {
    return TransactionCodec.decode(ByteBuffer.wrap(requireNonNull(transaction)));
  }

  @Override
  public String toString() {
    return rows + " rows to insert, read at version " + readVersion();
  }
}
