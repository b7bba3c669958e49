package dev.evenkeel.txn.history;

import java.io.IOException;

/** Lines in a frame that is open to the right, written as they come, up to a limit. */
final class Page {
  private final Appendable out;
  private final int limit;
  private final TextOptions options;
  private long written;
  private boolean full;

  Page(Appendable out, TextOptions options) {
    this.out = out;
    this.options = options;
    this.limit = options.limit();
  }

  void open(String title) throws IOException {
    put((options.ascii() ? "+- " : "╭─ ") + title);
  }

  void line(String text) throws IOException {
    put(side() + text);
  }

  /** The last line, which is written in any case. */
  void close(String text) throws IOException {
    if (full) {
      out.append(side())
          .append(options.ellipsis())
          .append(" the rest is left out: more than ")
          .append(Integer.toString(limit))
          .append(" characters\n");
    }
    out.append(options.ascii() ? "+- " : "╰─ ").append(text).append('\n');
  }

  /** Whether nothing more will be written: who makes lines can stop. */
  boolean full() {
    return full;
  }

  private String side() {
    return options.ascii() ? "| " : "│ ";
  }

  private void put(String text) throws IOException {
    String line = TextOptions.cut(text, Integer.MAX_VALUE, ""); // a key may hold line ends
    if (full || written + line.length() + 1 > limit) {
      full = true;
      return;
    }
    written += line.length() + 1;
    out.append(line).append('\n');
  }
}
