/** The {@code narwhal} command: one class per verb that parses, calls and prints. */
@NullMarked
package dev.narwhal.cli;

import org.jspecify.annotations.NullMarked;
