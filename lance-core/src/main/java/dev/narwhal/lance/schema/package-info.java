/** Fields of a Lance table and their Arrow counterparts. */
@NullMarked
package dev.narwhal.lance.schema;

import org.jspecify.annotations.NullMarked;
