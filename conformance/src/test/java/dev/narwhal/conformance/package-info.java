/**
 * Real engines as judges of what Narwhal reads and writes.
 *
 * <p>The kit: {@link dev.narwhal.conformance.LanceJudge} asks real Lance, {@link
 * dev.narwhal.conformance.JudgeWriter} has real Lance write, {@link
 * dev.narwhal.conformance.CanonicalRows} gives rows of either side the one text form in which they
 * are compared, and {@link dev.narwhal.conformance.Fixtures} finds recorded datasets with their
 * answers.
 */
@NullMarked
package dev.narwhal.conformance;

import org.jspecify.annotations.NullMarked;
