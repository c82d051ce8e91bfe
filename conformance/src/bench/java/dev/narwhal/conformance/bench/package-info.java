/**
 * Benchmarks, compiled and run by the profile {@code bench} alone:
 *
 * <pre>
 * mvn -Pbench -pl conformance -am -DskipTests integration-test -Dbench.args="DvTranscode"
 * </pre>
 *
 * <p>{@code bench.args} is JMH's command line. What a benchmark compares, its setup has found
 * equal.
 */
@NullMarked
package dev.narwhal.conformance.bench;

import org.jspecify.annotations.NullMarked;
