/** Pages of files from 2.1 on: {@code PageLayout} and the compressive encodings inside. */
@NullMarked
package dev.narwhal.lance.datafile.layout;

import org.jspecify.annotations.NullMarked;
