/** Lance data files, versions 2.0 and 2.1: the container, page layouts and encodings. */
@NullMarked
package dev.narwhal.lance.datafile;

import org.jspecify.annotations.NullMarked;
