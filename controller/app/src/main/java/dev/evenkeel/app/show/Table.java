package dev.evenkeel.app.show;

import dev.evenkeel.app.show.Style.Tone;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** The summary: one row for each line of the workload, as wide as what is in it. */
final class Table {
  private static final List<String> HEAD =
      List.of("#", "line", "event", "subject", "expected", "ended", "       time");

  private final Style style;
  private final PrintWriter out;

  Table(Style style, PrintWriter out) {
    this.style = style;
    this.out = out;
  }

  void print(Report.Totals totals) {
    List<Ended> all = totals.rows();
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    for (Ended ended : all) {
      rows.add(
          List.of(
              Long.toString(ended.number()),
              Long.toString(ended.line()),
              style.harmless(ended.event()),
              style.harmless(ended.subject()),
              ended.expected(),
              ended.ended(),
              Durations.text(ended.duration())));
    }
    int[] widths = new int[HEAD.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    row(rows.get(0), widths, Tone.TITLE);
    int length = 2 * (widths.length - 1);
    for (int width : widths) {
      length += width;
    }
    out.print(style.rule(length) + "\n");
    for (int i = 0; i < all.size(); i++) {
      row(rows.get(i + 1), widths, all.get(i).asExpected() ? Tone.GOOD : Tone.BAD);
    }
    if (totals.events() > all.size()) {
      out.print("and " + (totals.events() - all.size()) + " more\n");
    }
    out.print('\n');
  }

  /** A row; the word that says how it ended, or all of the head, is coloured. */
  private void row(List<String> cells, int[] widths, Tone tone) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i) + " ".repeat(widths[i] - cells.get(i).length());
      boolean coloured = tone == Tone.TITLE || HEAD.get(i).equals("ended");
      line.append(i == 0 ? "" : "  ").append(coloured ? style.tone(tone, cell) : cell);
    }
    out.print(line.toString().stripTrailing() + "\n");
  }
}
