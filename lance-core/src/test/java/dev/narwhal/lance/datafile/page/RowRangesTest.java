package dev.narwhal.lance.datafile.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowRangesTest {
  @Test
  void joinsNeighbouringOffsets() {
    assertThat(text(RowRanges.of(10, new int[] {0, 1, 2, 5, 7, 8})))
        .containsExactly("10-13", "15-16", "17-19");
    assertThat(RowRanges.of(3, new int[0]).isEmpty()).isTrue();
    assertThat(RowRanges.of(3, 3).isEmpty()).isTrue();
  }

  @Test
  void cutsPages() {
    RowRanges rows = RowRanges.of(0, new int[] {2, 3, 4, 8, 9, 12});
    assertThat(text(rows.within(0, 3))).containsExactly("2-3");
    assertThat(text(rows.within(3, 9))).containsExactly("0-2", "5-6");
    assertThat(text(rows.within(9, 20))).containsExactly("0-1", "3-4");
    assertThat(text(rows.within(5, 8))).isEmpty();
    assertThat(text(rows.within(13, 99))).isEmpty();
  }

  @Test
  void scalesRowsToItems() {
    assertThat(text(RowRanges.of(1, new int[] {0, 2}).scaled(3))).containsExactly("3-6", "9-12");
  }

  private static List<String> text(RowRanges rows) {
    List<String> text = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      text.add(rows.start(i) + "-" + rows.end(i));
    }
    return text;
  }
}
