/** Where bytes live: the object stores that hold a dataset. */
@NullMarked
package dev.narwhal.lance.storage;

import org.jspecify.annotations.NullMarked;
