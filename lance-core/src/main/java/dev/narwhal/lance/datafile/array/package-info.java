/** Pages of 2.0 files: trees of {@code ArrayEncoding}. */
@NullMarked
package dev.narwhal.lance.datafile.array;

import org.jspecify.annotations.NullMarked;
