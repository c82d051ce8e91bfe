/** Values of blob columns, which lie outside the pages: in the data file, or in files beside it. */
@NullMarked
package dev.narwhal.lance.datafile.blob;

import org.jspecify.annotations.NullMarked;
