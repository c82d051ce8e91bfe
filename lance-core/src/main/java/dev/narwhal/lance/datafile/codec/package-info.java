/**
 * Byte codecs below the page layouts: packed integers, runs, split bytes, FSST strings and
 * compressed units. Pure functions from little-endian bytes to little-endian bytes; what a page or
 * a chunk is, they do not know.
 */
@NullMarked
package dev.narwhal.lance.datafile.codec;

import org.jspecify.annotations.NullMarked;
