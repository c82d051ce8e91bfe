/** Transactions, their operations, and the commit of a new version. */
@NullMarked
package dev.narwhal.lance.transaction;

import org.jspecify.annotations.NullMarked;
