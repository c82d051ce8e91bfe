/** The WHERE dialect: parsed, typed, evaluated on Arrow batches. */
@NullMarked
package dev.narwhal.lance.predicate;

import org.jspecify.annotations.NullMarked;
