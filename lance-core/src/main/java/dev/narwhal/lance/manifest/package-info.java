/** Manifests: one per version, the whole state of a table. */
@NullMarked
package dev.narwhal.lance.manifest;

import org.jspecify.annotations.NullMarked;
