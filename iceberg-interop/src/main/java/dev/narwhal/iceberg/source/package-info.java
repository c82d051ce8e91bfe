/** What Narwhal needs of a Lance dataset to mirror and to verify it. */
@NullMarked
package dev.narwhal.iceberg.source;

import org.jspecify.annotations.NullMarked;
