/** New rows for a table: creating one, appending to it, replacing all that it has. */
@NullMarked
package dev.narwhal.lance.write.insert;

import org.jspecify.annotations.NullMarked;
