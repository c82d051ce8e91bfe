package dev.narwhal.lance.datafile;

/**
 * What a page is made of, for people.
 *
 * @param rows values of the column in the page
 * @param layout {@code mini-block}, {@code full-zip}, {@code constant}, {@code blob} and so on;
 *     {@code array} in 2.0
 * @param encoding encodings inside, such as {@code general(zstd, flat 32)}
 * @param sizeBytes size of all its buffers
 */
public record PageInfo(long rows, String layout, String encoding, long sizeBytes) {}
