/** Deletion vectors and the two encodings of deletion files. */
@NullMarked
package dev.narwhal.lance.deletion;

import org.jspecify.annotations.NullMarked;
