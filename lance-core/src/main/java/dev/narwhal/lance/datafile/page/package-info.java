/**
 * What the container and the page decoders of both format generations share.
 *
 * <p>A page decoder ({@link dev.narwhal.lance.datafile.page.PageDecoder}) is made once per page
 * from a {@link dev.narwhal.lance.datafile.page.PageSource} and kept. Per call it reads buffers
 * through {@link dev.narwhal.lance.datafile.page.PageBuffers}, decodes a chunk at a time into
 * {@link dev.narwhal.lance.datafile.page.Values}, which are views on bytes or on {@link
 * dev.narwhal.lance.datafile.page.Scratch}, and lets the column's {@link
 * dev.narwhal.lance.datafile.page.VectorBuilder} copy the wanted rows to their final place. A
 * builder serves all pages of one call, whatever their encodings.
 */
@NullMarked
package dev.narwhal.lance.datafile.page;

import org.jspecify.annotations.NullMarked;
