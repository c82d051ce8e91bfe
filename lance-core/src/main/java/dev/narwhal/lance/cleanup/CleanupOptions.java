package dev.narwhal.lance.cleanup;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which versions are old enough to go, and what else.
 *
 * @param before versions committed before this time; empty sets no such limit
 * @param beforeVersion versions with a lower number, at least 1; empty sets no such limit
 * @param deleteUnverified whether files that no version ever named go whatever their age, those
 *     that a writer has just written for its next commit too: only where nobody writes
 * @param refuseTagged whether a tagged version that is old enough is an error; else it stays
 * @param dryRun whether it is only found out what would go
 * @param clock tells the age of files
 */
public record CleanupOptions(
    Optional<Instant> before,
    OptionalLong beforeVersion,
    boolean deleteUnverified,
    boolean refuseTagged,
    boolean dryRun,
    Clock clock) {
  /**
   * A file that no version ever named is of a commit under way, perhaps, until it is so old.
   * Source: table format sheet 12.2.
   */
  public static final Duration UNVERIFIED_AGE = Duration.ofDays(7);

  public CleanupOptions {
    requireNonNull(before, "before");
    requireNonNull(beforeVersion, "beforeVersion");
    requireNonNull(clock, "clock");
    if (before.isEmpty() && beforeVersion.isEmpty()) {
      throw new IllegalArgumentException("say which versions may go, by time or by number");
    }
    if (beforeVersion.isPresent() && beforeVersion.getAsLong() < 1) {
      throw new IllegalArgumentException(
          "beforeVersion must be at least 1: " + beforeVersion.getAsLong());
    }
  }

  /**
   * Versions that were committed longer ago.
   *
   * @param age not negative
   */
  public static CleanupOptions olderThan(Duration age) {
    return olderThan(age, Clock.systemUTC());
  }

  /** The same by another clock. */
  public static CleanupOptions olderThan(Duration age, Clock clock) {
    if (age.isNegative()) {
      throw new IllegalArgumentException("age must not be negative: " + age);
    }
    return new CleanupOptions(
        Optional.of(clock.instant().minus(age)), OptionalLong.empty(), false, false, false, clock);
  }

  /** Versions with a lower number. */
  public static CleanupOptions beforeVersion(long version) {
    return new CleanupOptions(
        Optional.empty(), OptionalLong.of(version), false, false, false, Clock.systemUTC());
  }

  /** Of those, only the ones with a lower number. */
  public CleanupOptions andBeforeVersion(long version) {
    return new CleanupOptions(
        before, OptionalLong.of(version), deleteUnverified, refuseTagged, dryRun, clock);
  }

  /** Removes files that no version ever named whatever their age. */
  public CleanupOptions withDeleteUnverified() {
    return new CleanupOptions(before, beforeVersion, true, refuseTagged, dryRun, clock);
  }

  /** Has a tagged version that is old enough be an error, as in real Lance. */
  public CleanupOptions withRefuseTagged() {
    return new CleanupOptions(before, beforeVersion, deleteUnverified, true, dryRun, clock);
  }

  /** Finds out what would go, and removes nothing. */
  public CleanupOptions asDryRun() {
    return new CleanupOptions(before, beforeVersion, deleteUnverified, refuseTagged, true, clock);
  }

  /** Whether a version is old enough. */
  boolean matches(long version, Instant committed) {
    return before.map(committed::isBefore).orElse(true)
        && (beforeVersion.isEmpty() || version < beforeVersion.getAsLong());
  }
}
