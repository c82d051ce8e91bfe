package dev.narwhal.lance.datafile;

/**
 * What a page is made of, for people.
 *
 * @param rows values of the column in the page
 * @param encoding layout and encodings, such as {@code mini-block(inline-bitpacking 32)}
 * @param sizeBytes size of all its buffers
 */
public record PageInfo(long rows, String encoding, long sizeBytes) {}
