/** Names for versions, other lines of versions, and clones: what a user makes of references. */
@NullMarked
package dev.narwhal.lance.refs;

import org.jspecify.annotations.NullMarked;
