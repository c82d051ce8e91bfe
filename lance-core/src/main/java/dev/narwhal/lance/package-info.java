/** A Lance dataset, and what can be asked of it. */
@NullMarked
package dev.narwhal.lance;

import org.jspecify.annotations.NullMarked;
