package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.lance.manifest.Tag;
import dev.narwhal.lance.refs.Tags;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal tag delete}. */
@Command(name = "delete", description = "Removes a tag; its version stays until it is cleaned up.")
final class TagDeleteVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();

  @Mixin private ReferenceTarget target = new ReferenceTarget();

  @Option(names = "--dry-run", description = "Check and report, write nothing.")
  private boolean dryRun;

  TagDeleteVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Tags tags = new Tags(target.root());
    Tag tag = dryRun ? tags.get(target.name()) : tags.delete(target.name());
    console.print(common.json, new TagReport.One(tag, dryRun ? "Not deleted:" : "Deleted"));
    return ExitCode.DONE;
  }
}
