package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.lance.manifest.Branch;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.refs.Branches;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal branch create}. */
@Command(
    name = "create",
    description = "Begins a branch: at the newest version of main, or at the one chosen.")
final class BranchCreateVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VersionOptions version = new VersionOptions();

  @Mixin private ReferenceTarget target = new ReferenceTarget();

  @Option(names = "--dry-run", description = "Check and report, write nothing.")
  private boolean dryRun;

  BranchCreateVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Branches branches = new Branches(target.root());
    VersionSelector selector = version.selector();
    Branch branch =
        dryRun
            ? branches.prepare(target.name(), selector)
            : branches.create(target.name(), selector);
    console.print(common.json, new BranchReport.One(branch, dryRun ? "Not written:" : "Created"));
    return ExitCode.DONE;
  }
}
