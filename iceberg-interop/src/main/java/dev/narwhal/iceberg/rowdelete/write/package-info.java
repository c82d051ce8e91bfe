/** The data and delete files of a change, written before it is committed. */
@NullMarked
package dev.narwhal.iceberg.rowdelete.write;

import org.jspecify.annotations.NullMarked;
