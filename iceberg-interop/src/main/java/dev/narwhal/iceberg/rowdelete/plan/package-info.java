/** Which rows of which data files a condition is about. */
@NullMarked
package dev.narwhal.iceberg.rowdelete.plan;

import org.jspecify.annotations.NullMarked;
