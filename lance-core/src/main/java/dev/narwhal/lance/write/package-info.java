/** What changes a dataset. */
@NullMarked
package dev.narwhal.lance.write;

import org.jspecify.annotations.NullMarked;
