/** Arrow rows into Iceberg's Parquet writer, value by value, without records in between. */
@NullMarked
package dev.narwhal.iceberg.parquet;

import org.jspecify.annotations.NullMarked;
