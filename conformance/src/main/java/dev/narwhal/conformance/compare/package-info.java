/** One delete, by every strategy, on the same data: measured, and verified equal. */
@NullMarked
package dev.narwhal.conformance.compare;

import org.jspecify.annotations.NullMarked;
