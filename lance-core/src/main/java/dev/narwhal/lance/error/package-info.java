/** What can go wrong, as types. Imports nothing. */
@NullMarked
package dev.narwhal.lance.error;

import org.jspecify.annotations.NullMarked;
