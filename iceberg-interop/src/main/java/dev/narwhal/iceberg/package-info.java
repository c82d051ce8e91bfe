/** What Narwhal does on the Iceberg side of the fence. */
@NullMarked
package dev.narwhal.iceberg;

import org.jspecify.annotations.NullMarked;
