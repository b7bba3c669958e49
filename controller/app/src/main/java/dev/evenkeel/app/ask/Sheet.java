package dev.evenkeel.app.ask;

import dev.evenkeel.app.show.Style;
import dev.evenkeel.app.show.Style.Tone;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Writes lines and tables for people. One thread. */
final class Sheet {
  private static final int WIDEST = 72;
  private static final Set<String> GOOD =
      Set.of(
          "applied", "configured", "obtained", "running", "ready", "done", "created", "ok", "yes");
  private static final Set<String> WAITING =
      Set.of(
          "pending",
          "retrying",
          "reverted",
          "undone",
          "starting",
          "standby",
          "superseded",
          "discovered",
          "warn",
          "reserved",
          "adopted");

  private final PrintWriter out;
  private final Style style;

  Sheet(PrintWriter out, Style style) {
    this.out = out;
    this.style = style;
  }

  void line(String text) {
    out.print(style.harmless(text) + "\n");
  }

  void title(String text) {
    out.print(style.tone(Tone.TITLE, style.harmless(text)) + "\n");
  }

  /** A name with its value. */
  void pair(String name, String value) {
    if (!value.isEmpty()) {
      String shown = style.harmless(value);
      out.print(style.tone(Tone.QUIET, (name + ":" + " ".repeat(16)).substring(0, 15)));
      out.print(" " + style.tone(tone(value), shown) + "\n");
    }
  }

  /** A table; texts that are too long are cut off, but for the last column's. */
  void table(List<String> head, List<List<String>> rows) {
    if (rows.isEmpty()) {
      line("none");
      return;
    }
    int[] widths = new int[head.size()];
    List<List<String>> shown = new ArrayList<>();
    for (List<String> row : rows) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < head.size(); i++) {
        String cell = style.harmless(row.get(i));
        boolean last = i == head.size() - 1;
        cells.add(last || cell.length() <= WIDEST ? cell : cell.substring(0, WIDEST - 3) + "...");
        widths[i] = Math.max(widths[i], cells.get(i).length());
      }
      shown.add(cells);
    }
    for (int i = 0; i < head.size(); i++) {
      widths[i] = Math.max(widths[i], head.get(i).length());
    }
    row(head, widths, true);
    shown.forEach(row -> row(row, widths, false));
  }

  private void row(List<String> cells, int[] widths, boolean head) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      boolean last = i == widths.length - 1;
      String cell = cells.get(i);
      String padded = last ? cell : cell + " ".repeat(widths[i] - cell.length());
      line.append(i == 0 ? "" : "  ");
      line.append(head ? style.tone(Tone.TITLE, padded) : style.tone(tone(cell), padded));
    }
    out.print(line.toString().stripTrailing() + "\n");
  }

  /** The colour of a word that says how something is; plain for all other texts. */
  private static Tone tone(String text) {
    String word = text.strip();
    if (GOOD.contains(word)) {
      return Tone.GOOD;
    }
    if (WAITING.contains(word)) {
      return Tone.UNDONE;
    }
    boolean bad =
        word.startsWith("fail")
            || Set.of(
                    "invalid",
                    "refused",
                    "unfinished",
                    "dropped",
                    "missing",
                    "aborting",
                    "undo-failed",
                    "reverted incompletely",
                    "applied with errors",
                    "degraded")
                .contains(word);
    return bad ? Tone.BAD : Tone.PLAIN;
  }

  /** {@code 12.345 ms}. */
  static String millis(long micros) {
    return String.format(Locale.ROOT, "%.3f ms", micros / 1000.0);
  }

  /** {@code 3m 12s}. */
  static String age(long micros) {
    long seconds = micros / 1_000_000;
    if (seconds < 1) {
      return millis(micros);
    }
    return seconds < 60
        ? seconds + "s"
        : seconds < 3600
            ? seconds / 60 + "m " + seconds % 60 + "s"
            : seconds / 3600 + "h " + seconds % 3600 / 60 + "m";
  }
}
