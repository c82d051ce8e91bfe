/** Prepared changes, and how they are committed beside those of others. */
@NullMarked
package dev.narwhal.iceberg.rowdelete.commit;

import org.jspecify.annotations.NullMarked;
