/** Reading live rows, a batch at a time. */
@NullMarked
package dev.narwhal.lance.scan;

import org.jspecify.annotations.NullMarked;
