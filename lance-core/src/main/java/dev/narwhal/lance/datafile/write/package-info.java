/**
 * Lance data files are written here, versions 2.0 to 2.2.
 *
 * <p>{@link dev.narwhal.lance.datafile.write.LanceFileWriter} is the face. A column gathers what it
 * is given until a page is full: {@code Shredder} takes nested vectors apart into levels ({@code
 * LevelBuffer}) and leaf values ({@code LeafValues}), {@code PageEncoder} chooses a layout for
 * them. Messages and byte codecs are those of the readers.
 */
@NullMarked
package dev.narwhal.lance.datafile.write;

import org.jspecify.annotations.NullMarked;
