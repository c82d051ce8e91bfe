package dev.narwhal.lance.write;

/**
 * What a change of a table came to.
 *
 * @param version the new version; of a dry run the one that the change was worked out on
 * @param bytesWritten bytes of manifest and transaction, 0 for a dry run
 * @param attempts commits that were tried; 0 for a dry run
 */
public record ChangeResult(long version, long bytesWritten, int attempts) {}
