package dev.evenkeel.txn.history;

import java.util.ArrayList;
import java.util.List;

/** Breaks text at spaces, and where it must. */
final class Wrap {
  private Wrap() {}

  static List<String> lines(String text, int width) {
    List<String> lines = new ArrayList<>();
    for (String paragraph : text.split("\n", -1)) {
      String rest = paragraph.stripTrailing();
      while (rest.length() > width) {
        int at = rest.lastIndexOf(' ', width);
        int end = at <= 0 ? width : at;
        lines.add(TextOptions.cut(rest.substring(0, end).stripTrailing(), width, ""));
        rest = rest.substring(end).stripLeading();
      }
      if (!rest.isEmpty()) {
        lines.add(TextOptions.cut(rest, width, ""));
      }
    }
    return lines;
  }
}
