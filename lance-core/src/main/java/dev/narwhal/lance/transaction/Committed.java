package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;

/**
 * What a commit came to.
 *
 * @param location the version that holds the result: a new one, unless nothing was left to commit
 * @param file what its manifest file holds
 * @param transaction as it was committed, possibly rebased
 * @param created whether the version is new; else everything had been done by others
 * @param bytesWritten size of the manifest file, of the transaction file, and of deletion files
 *     that a rebase made
 * @param attempts how often it was tried; 0 when there was nothing to commit from the start
 * @param rowsAlreadyGone affected rows that others had deleted meanwhile
 */
public record Committed(
    ManifestLocation location,
    ManifestFile file,
    Transaction transaction,
    boolean created,
    long bytesWritten,
    int attempts,
    AffectedRows rowsAlreadyGone) {
  public Committed {
    requireNonNull(location, "location");
    requireNonNull(file, "file");
    requireNonNull(transaction, "transaction");
    requireNonNull(rowsAlreadyGone, "rowsAlreadyGone");
  }
}
