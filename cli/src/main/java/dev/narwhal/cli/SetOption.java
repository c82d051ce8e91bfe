package dev.narwhal.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The new values of an update's columns. */
final class SetOption {
  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--set",
      required = true,
      paramLabel = "COLUMN=EXPR",
      description =
          "A top-level column and its new value, an expression on the row as it was, such as n=n+1,"
              + " t=upper(t) or t=NULL.")
  private List<String> set = new ArrayList<>();

  /** By column. A value may hold further equals signs. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    for (String assignment : set) {
      int equals = assignment.indexOf('=');
      if (equals < 1) {
        throw usage("--set takes COLUMN=EXPR, such as n=n+1: '" + assignment + "'");
      }
      String column = assignment.substring(0, equals).strip();
      if (values.put(column, assignment.substring(equals + 1)) != null) {
        throw usage("--set sets column '" + column + "' twice");
      }
    }
    return values;
  }

  private ParameterException usage(String message) {
    return new ParameterException(Objects.requireNonNull(spec, "spec").commandLine(), message);
  }
}
