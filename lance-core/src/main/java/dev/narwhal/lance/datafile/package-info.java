/**
 * Lance data files, versions 2.0 and later: the container, and columns as Arrow vectors.
 *
 * <p>{@link dev.narwhal.lance.datafile.LanceFile} is the face. Page decoders are in {@code .array}
 * (2.0) and {@code .layout} (2.1 and later), over the contract in {@code .page} and the byte codecs
 * in {@code .codec}.
 */
@NullMarked
package dev.narwhal.lance.datafile;

import org.jspecify.annotations.NullMarked;
