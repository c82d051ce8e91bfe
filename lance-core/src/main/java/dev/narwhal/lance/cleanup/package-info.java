/** Removes old versions and the files that no version needs. */
@NullMarked
package dev.narwhal.lance.cleanup;

import org.jspecify.annotations.NullMarked;
