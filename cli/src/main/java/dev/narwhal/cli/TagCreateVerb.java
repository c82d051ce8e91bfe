package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.lance.manifest.Tag;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.refs.Tags;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal tag create}. */
@Command(name = "create", description = "Names a version: the newest of main, or the one chosen.")
final class TagCreateVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VersionOptions version = new VersionOptions();

  @Mixin private ReferenceTarget target = new ReferenceTarget();

  @Option(names = "--update", description = "Have a tag that is there name the version instead.")
  private boolean update;

  @Option(names = "--dry-run", description = "Check and report, write nothing.")
  private boolean dryRun;

  TagCreateVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Tags tags = new Tags(target.root());
    VersionSelector selector = version.selector();
    Tag tag = dryRun ? planned(tags, selector) : written(tags, selector);
    String done = update ? "Updated" : "Created";
    console.print(common.json, new TagReport.One(tag, dryRun ? "Not written:" : done));
    return ExitCode.DONE;
  }

  private Tag planned(Tags tags, VersionSelector selector) throws IOException {
    return update
        ? tags.prepareUpdate(target.name(), selector)
        : tags.prepare(target.name(), selector);
  }

  private Tag written(Tags tags, VersionSelector selector) throws IOException {
    return update ? tags.update(target.name(), selector) : tags.create(target.name(), selector);
  }
}
