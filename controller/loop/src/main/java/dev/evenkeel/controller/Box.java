package dev.evenkeel.controller;

/**
 * Lines of text in a frame, wrapped at a width, cut off at a limit, written once from top to
 * bottom. Control and format characters are shown as question marks, so that no text can forge a
 * line.
 */
final class Box {
  private static final int INSIDE = 126;
  private static final int TEXT = 110;
  private static final String FRAME = "+" + "-".repeat(INSIDE + 2) + "+";
  private static final String CUT = "... (cut off)";

  private final StringBuilder out = new StringBuilder(1024);
  private final int most;
  private boolean full;

  Box(int most) {
    this.most = most;
    out.append('\n').append(FRAME);
  }

  /** Adds text, wrapped; lines after the first are indented once more. */
  Box line(int indent, String text) {
    int from = 0;
    int margin = indent;
    while (!full) {
      int end = endOfLine(text, from, TEXT - margin);
      row(margin, text, from, end);
      from = end < text.length() && Character.isWhitespace(text.charAt(end)) ? end + 1 : end;
      margin = indent + 2;
      if (from >= text.length()) {
        return this;
      }
    }
    return this;
  }

  /** At a line feed, else at the last space that fits, else in the middle of a word. */
  private static int endOfLine(String text, int from, int width) {
    int furthest = Math.min(text.length(), from + width);
    int feed = text.indexOf('\n', from);
    if (feed >= 0 && feed <= furthest) {
      return feed;
    }
    if (furthest == text.length()) {
      return furthest;
    }
    int space = text.lastIndexOf(' ', furthest);
    return space > from ? space : furthest;
  }

  private void row(int indent, String text, int from, int end) {
    if (out.length() + 3 * FRAME.length() > most) {
      full = true;
      row(0, CUT);
      return;
    }
    StringBuilder clean = new StringBuilder(end - from);
    for (int i = from; i < end; i++) {
      char c = text.charAt(i);
      boolean shown = !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT;
      clean.append(shown ? c : '?');
    }
    row(indent, clean);
  }

  private void row(int indent, CharSequence text) {
    int padding = Math.max(0, INSIDE - indent - text.length());
    out.append("\n| ").append(" ".repeat(indent)).append(text);
    out.append(" ".repeat(padding)).append(" |");
  }

  String text() {
    return out + "\n" + FRAME;
  }
}
