/** Delete files of Iceberg tables: deletion vectors and position deletes, written and read. */
@NullMarked
package dev.narwhal.iceberg.deletes;

import org.jspecify.annotations.NullMarked;
