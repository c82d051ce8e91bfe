package dev.narwhal.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.narwhal.cli.output.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The picocli set-up: which verbs there are, and how their failures become exit codes. */
final class CommandRunner {
  /** Labels of arguments that say what to do, not where. */
  private static final Set<String> NO_PLACES = Set.of("NAME", "KEY", "KEY=VALUE");

  private final Console console;
  private final NarwhalCommand top = new NarwhalCommand();
  private final CommandLine commandLine = new CommandLine(top);

  CommandRunner(Console console) {
    this.console = console;
    commandLine
        .addSubcommand(new InspectVerb(console))
        .addSubcommand(new CountVerb(console))
        .addSubcommand(new RowsVerb(console))
        .addSubcommand(new TakeVerb(console))
        .addSubcommand(new AppendVerb(console))
        .addSubcommand(new OverwriteVerb(console))
        .addSubcommand(new DeleteVerb(console))
        .addSubcommand(new UpdateVerb(console))
        .addSubcommand(new MergeInsertVerb(console))
        .addSubcommand(new HistoryVerb(console))
        .addSubcommand(new RestoreVerb(console))
        .addSubcommand(new AddColumnVerb(console))
        .addSubcommand(new DropColumnVerb(console))
        .addSubcommand(new RenameColumnVerb(console))
        .addSubcommand(new CleanupVerb(console))
        .addSubcommand(new SyncVerb(console))
        .addSubcommand(new VerifyVerb(console))
        .addSubcommand(new InspectIcebergVerb(console))
        .addSubcommand(new DeleteIcebergVerb(console))
        .addSubcommand(new UpdateIcebergVerb(console))
        .addSubcommand(new OverwriteIcebergVerb(console))
        .addSubcommand(new EqualityDeleteVerb(console))
        .addSubcommand(new ResolveEqualityDeletesVerb(console))
        .addSubcommand(new RepairVerb(console))
        .addSubcommand(new CompareVerb(console));
    commandLine.addSubcommand(
        new CommandLine(new TagCommand())
            .addSubcommand(new TagCreateVerb(console))
            .addSubcommand(new TagDeleteVerb(console))
            .addSubcommand(new TagListVerb(console)));
    commandLine.addSubcommand(
        new CommandLine(new BranchCommand())
            .addSubcommand(new BranchCreateVerb(console))
            .addSubcommand(new BranchDeleteVerb(console))
            .addSubcommand(new BranchListVerb(console)));
    commandLine.addSubcommand(
        new CommandLine(new ConfigCommand())
            .addSubcommand(new ConfigSetVerb(console))
            .addSubcommand(new ConfigUnsetVerb(console)));
    commandLine.addSubcommand(
        new CommandLine(new DvCommand())
            .addSubcommand(new DvDumpVerb(console))
            .addSubcommand(new DvConvertVerb(console)));

    commandLine
        .setOut(console.textWriter())
        .setErr(new PrintWriter(console.err(), true, UTF_8))
        .setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(false)
        .setUsageHelpWidth(100)
        .setParameterExceptionHandler((failure, args) -> usageError(failure))
        .setExecutionExceptionHandler((failure, line, parsed) -> failed(failure, places(parsed)));
    commandLine.getCommandSpec().versionProvider(CommandRunner::version);
  }

  int run(String... args) {
    int code;
    try {
      code = isReadable(args) ? commandLine.execute(args) : unreadable();
      commandLine.getOut().flush();
      console.flush();
    } catch (IOException | StackOverflowError | OutOfMemoryError | LinkageError e) {
      code = failed(e, List.of());
    }
    console.err().flush();
    return code;
  }

  /** The JVM puts this character where the locale's encoding could not tell it what was typed. */
  private static boolean isReadable(String... args) {
    return Arrays.stream(args).noneMatch(argument -> argument.indexOf('\uFFFD') >= 0);
  }

  private int unreadable() {
    console
        .err()
        .println(
            "error: an argument has characters that the locale's encoding cannot read; run in a"
                + " UTF-8 locale, such as LC_ALL=C.UTF-8");
    return ExitCode.USAGE;
  }

  private int usageError(ParameterException failure) {
    CommandLine line = failure.getCommandLine();
    console
        .err()
        .println(
            "error: "
                + Console.oneLine(Objects.toString(failure.getMessage()))
                    .replaceFirst("^Error: ", ""));
    console.err().println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }

  /** The datasets, tables and files that the verb was given. */
  private static List<String> places(ParseResult parsed) {
    ParseResult verb = parsed;
    while (verb.hasSubcommand()) {
      verb = verb.subcommand();
    }
    return verb.matchedPositionals().stream()
        .filter(positional -> !NO_PLACES.contains(positional.paramLabel()))
        .flatMap(positional -> positional.originalStringValues().stream())
        .filter(value -> !value.isEmpty())
        .toList();
  }

  private int failed(Throwable failure, List<String> places) {
    if (Failures.isClosedPipe(failure)) {
      return ExitCode.DONE; // as in `narwhal rows DATASET | head`: whoever reads has seen enough
    }
    if (top.debug || System.getenv("NARWHAL_DEBUG") != null) {
      failure.printStackTrace(console.err());
    }
    console.err().println("error: " + Failures.describe(failure, places));
    return ExitCode.FAILED;
  }

  private static String[] version() {
    String version = CommandRunner.class.getPackage().getImplementationVersion();
    return new String[] {
      "narwhal " + (version == null ? "(development)" : version),
      "JVM " + System.getProperty("java.vm.version") + ", " + System.getProperty("java.vendor")
    };
  }
}
