/** Row id sequences of tables with stable row ids. */
@NullMarked
package dev.narwhal.lance.rowid;

import org.jspecify.annotations.NullMarked;
