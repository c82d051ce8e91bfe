package dev.narwhal.cli.output;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on stderr that is gone when the work is done. */
final class ProgressBarProgress implements Progress {
  private final ProgressBar bar;

  ProgressBarProgress(String task, long total) {
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .clearDisplayOnFinish()
            .build();
  }

  @Override
  public void advance(long units) {
    bar.stepBy(units);
  }

  @Override
  public void close() {
    bar.close();
  }
}
