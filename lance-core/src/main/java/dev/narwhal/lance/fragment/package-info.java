/** Fragments, their data files, base paths and row addresses. */
@NullMarked
package dev.narwhal.lance.fragment;

import org.jspecify.annotations.NullMarked;
