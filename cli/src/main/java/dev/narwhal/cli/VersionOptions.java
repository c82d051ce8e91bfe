package dev.narwhal.cli;

import dev.narwhal.lance.manifest.VersionSelector;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import picocli.CommandLine.TypeConversionException;

/** Which version of a dataset a verb reads. */
final class VersionOptions {
  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @ArgGroup private @Nullable Choice choice;

  @Option(names = "--branch", paramLabel = "B", description = "A version of this branch.")
  private @Nullable String branch;

  /**
   * The newest version, which verbs that write begin with.
   *
   * @param branch null for main
   */
  static VersionSelector newest(@Nullable String branch) {
    return branch == null ? VersionSelector.latest() : VersionSelector.latest().onBranch(branch);
  }

  /** The version that is meant: the newest of main when nothing was said. */
  VersionSelector selector() {
    Choice chosen = choice == null ? new Choice() : choice;
    if (chosen.tag != null && branch != null && spec != null) {
      throw new ParameterException(
          spec.commandLine(), "a tag knows its branch: give --tag or --branch, not both");
    }
    return new VersionSelector(
        Optional.ofNullable(branch),
        chosen.version == null ? OptionalLong.empty() : OptionalLong.of(chosen.version),
        Optional.ofNullable(chosen.tag),
        Optional.ofNullable(chosen.asOf));
  }

  /** The version that is meant, of which the number, tag or time must be said. */
  VersionSelector explicitSelector() {
    if (choice == null && spec != null) {
      throw new ParameterException(
          spec.commandLine(), "say which version: --version N, --tag T or --as-of TIMESTAMP");
    }
    return selector();
  }

  /** Refuses any choice: what is read has no versions. */
  void refuse() {
    if ((choice != null || branch != null) && spec != null) {
      throw new ParameterException(
          spec.commandLine(), "a single data file has no versions, tags and branches to choose");
    }
  }

  /** One of them at most. */
  static final class Choice {
    @Option(
        names = "--version",
        paramLabel = "N",
        converter = VersionNumber.class,
        description = "The version of this number.")
    @Nullable Long version;

    @Option(names = "--tag", paramLabel = "T", description = "The version that this tag names.")
    @Nullable String tag;

    @Option(
        names = "--as-of",
        paramLabel = "TIMESTAMP",
        converter = Timestamp.class,
        description = "The newest version at this time: ISO-8601, UTC unless it says otherwise.")
    @Nullable Instant asOf;
  }

  /** A version is an unsigned 64-bit number, and never 0. */
  static final class VersionNumber implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      try {
        long version = Long.parseUnsignedLong(value);
        if (version != 0) {
          return version;
        }
      } catch (NumberFormatException e) {
        // told below, like 0
      }
      throw new TypeConversionException("'" + value + "' is no version, expected 1 or more");
    }
  }

  /** A time, a local time taken as UTC, or a date taken as its first moment. */
  static final class Timestamp implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String value) {
      try {
        if (value.indexOf('T') < 0) {
          return LocalDate.parse(value).atStartOfDay().toInstant(ZoneOffset.UTC);
        }
        boolean zoned = value.endsWith("Z") || value.matches(".*T.*[+-][0-9:]+");
        return zoned
            ? OffsetDateTime.parse(value).toInstant()
            : LocalDateTime.parse(value).toInstant(ZoneOffset.UTC);
      } catch (DateTimeParseException e) {
        throw new TypeConversionException(
            "'" + value + "' is no timestamp, expected one such as 2026-01-31T10:00:00Z");
      }
    }
  }
}
