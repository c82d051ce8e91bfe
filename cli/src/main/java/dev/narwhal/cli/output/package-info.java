/** Where results and messages go, and in which form. */
@NullMarked
package dev.narwhal.cli.output;

import org.jspecify.annotations.NullMarked;
