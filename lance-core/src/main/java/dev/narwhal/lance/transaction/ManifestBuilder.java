package dev.narwhal.lance.transaction;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestDraft;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.WriterVersion;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;

/**
 * Works out the next version from the newest one and a transaction. Pure: nothing is read or
 * written. Source: table format sheet 9.
 */
public final class ManifestBuilder {
  /** See {@link CommitOptions#inlineTransactionBytes}: what it is by default. */
  public static final int INLINE_TRANSACTION_BYTES = 64 << 10;

  private ManifestBuilder() {}

  /**
   * The version after {@code latest}. Whatever the operation does not touch stays as it is, fields
   * that we do not know included.
   *
   * @param timestamp when the commit is made
   * @throws UnsupportedFeatureException when the table, or the operation, asks for more than we can
   *     do
   * @throws IllegalArgumentException when the operation would bring deleted rows back, or does not
   *     go with the table
   */
  public static ManifestFile build(
      ManifestFile latest, Transaction transaction, Instant timestamp) {
    return build(latest, transaction, timestamp, INLINE_TRANSACTION_BYTES);
  }

  /**
   * The same with another limit.
   *
   * @param inlineBytes longest transaction that is stored in the manifest file too
   */
  static ManifestFile build(
      ManifestFile latest, Transaction transaction, Instant timestamp, int inlineBytes) {
    requireWritable(latest.manifest());
    NextVersion next = new NextVersion(latest);
    transaction.operation().accept(new OperationEffects(next));
    return complete(next.toDraft(), next, transaction, timestamp, inlineBytes);
  }

  /**
   * The version after {@code latest} when that is a return to an older one. The marks of both are
   * kept, whichever are higher, so that no fragment id and no row id is used twice: real Lance
   * 7.0.0 winds back that of row ids (facts 9.3).
   *
   * @param restored the older version
   */
  public static ManifestFile restore(
      ManifestFile latest, ManifestFile restored, Transaction transaction, Instant timestamp) {
    requireWritable(latest.manifest());
    requireWritable(restored.manifest());
    NextVersion now = new NextVersion(latest);
    NextVersion then = new NextVersion(restored);
    now.schema = then.schema;
    now.fragments = then.fragments;
    now.indices = then.indices;
    now.dataFormat = then.dataFormat;
    now.config = then.config;
    now.tableMetadata = then.tableMetadata;
    now.basePaths = then.basePaths;
    now.stableRowIds = then.stableRowIds;
    if (Long.compareUnsigned(then.nextRowId, now.nextRowId) > 0) {
      now.nextRowId = then.nextRowId;
    }
    if (then.maxFragmentId.orElse(-1) > now.maxFragmentId.orElse(-1)) {
      now.maxFragmentId = then.maxFragmentId;
    }
    return complete(now.toDraft(), now, transaction, timestamp, INLINE_TRANSACTION_BYTES);
  }

  /**
   * The first version of a new table.
   *
   * @param transaction an Overwrite, with the fragments and the configuration
   */
  static ManifestFile first(NewTable table, Transaction transaction, Instant timestamp) {
    NextVersion next = NextVersion.first(table.empty(timestamp));
    transaction.operation().accept(new OperationEffects(next));
    return complete(next.toDraft(), next, transaction, timestamp, INLINE_TRANSACTION_BYTES);
  }

  private static ManifestFile complete(
      ManifestDraft draft,
      NextVersion next,
      Transaction transaction,
      Instant timestamp,
      int inlineBytes) {
    draft.timestamp(timestamp).writerVersion(WriterVersion.NARWHAL);
    transaction.tag().ifPresentOrElse(draft::tag, draft::withoutTag);
    boolean hasFile = !next.base.flags().transactionFileDisabled();
    if (hasFile) {
      draft.transactionFile(transaction.fileName());
    } else {
      draft.withoutTransactionFile();
    }
    ByteBuffer inline = TransactionCodec.encode(transaction);
    Manifest manifest = draft.build();
    return hasFile && inline.remaining() > inlineBytes
        ? ManifestFile.of(manifest, List.copyOf(next.indices))
        : ManifestFile.of(manifest, next.indices, inline);
  }

  /** Throws when we must not, or cannot, commit on a version. */
  static void requireWritable(Manifest base) {
    base.flags().requireWritable();
    if (base.isDetached() || Manifest.isDetached(base.version() + 1)) {
      throw new UnsupportedFeatureException(
          "commits on the detached version "
              + Long.toUnsignedString(base.version())
              + " are not supported; commit on a version of the table's history");
    }
  }
}
