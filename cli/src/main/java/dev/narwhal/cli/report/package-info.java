/** The report of a strategy comparison: a table, a JSON document, a page with charts. */
@NullMarked
package dev.narwhal.cli.report;

import org.jspecify.annotations.NullMarked;
