package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.transaction.AffectedRows;
import dev.narwhal.lance.transaction.AffectedRowsCodec;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import dev.narwhal.lance.transaction.TransactionCodec;
import java.io.Serializable;
import java.nio.ByteBuffer;

/**
 * A delete whose deletion files are written and which is still to be committed, by whomever it is
 * handed to. Goes from one process to another by Java serialisation, or as bytes.
 */
public final class UncommittedDelete implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] transaction;
  private final byte[] rows;
  private final long bytesWritten;

  UncommittedDelete(Transaction transaction, AffectedRows rows, long bytesWritten) {
    this.transaction = bytes(TransactionCodec.encode(transaction));
    this.rows = bytes(AffectedRowsCodec.encode(rows));
    this.bytesWritten = bytesWritten;
  }

  /**
   * The delete.
   *
   * @throws LanceFormatException when the bytes were damaged on the way
   */
  public Operation.Delete operation() {
    Operation operation = decoded().operation();
    if (operation instanceof Operation.Delete delete) {
      return delete;
    }
    throw new LanceFormatException("a " + operation.name() + " was handed over as a delete");
  }

  /** Version that it was worked out on. */
  public long readVersion() {
    return decoded().readVersion();
  }

  /** The rows that it deletes. */
  public AffectedRows affectedRows() {
    return AffectedRowsCodec.decode(ByteBuffer.wrap(rows));
  }

  /** Number of them. */
  public long deletedRows() {
    return affectedRows().cardinality();
  }

  /** Bytes of its deletion files. */
  public long bytesWritten() {
    return bytesWritten;
  }

  @Override
  public String toString() {
    return deletedRows() + " rows to delete from version " + readVersion();
  }

  private Transaction decoded() {
    return TransactionCodec.decode(ByteBuffer.wrap(requireNonNull(transaction)));
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
