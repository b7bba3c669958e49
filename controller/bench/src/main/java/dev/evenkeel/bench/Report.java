package dev.evenkeel.bench;

import java.io.PrintStream;
import java.util.Locale;

/** Prints what was measured as tab-separated lines, and remembers whether a ratio was short. */
public final class Report {
  private final PrintStream out;
  private final boolean judges;
  private boolean isShort;

  Report(PrintStream out, boolean judges) {
    this.out = out;
    this.judges = judges;
  }

  /** {@code about NAME VALUE}: machine, JDK, forks, iterations; before everything else. */
  public void about(String name, Object value) {
    line("about", name, String.valueOf(value));
  }

  /** {@code figure NAME VALUE UNIT}. */
  public void figure(String name, double value, String unit) {
    line("figure", name, number(value), unit);
  }

  /** {@code ratio NAME VALUE TARGET ok|short}: must be as much as that. */
  public void atLeast(String name, double value, double target) {
    ratio(name, value, number(target), value >= target);
  }

  /** {@code ratio NAME VALUE TARGET ok|short}: must be no more than that. */
  public void atMost(String name, double value, double target) {
    ratio(name, value, number(target), value <= target);
  }

  private void ratio(String name, double value, String target, boolean met) {
    boolean ok = met || !judges;
    isShort |= !ok;
    line("ratio", name, number(value), target, judges ? (ok ? "ok" : "short") : "unjudged");
  }

  /** Whether some ratio was. */
  boolean isShort() {
    return isShort;
  }

  /** What is under way, for whoever waits; not part of the result. */
  @SuppressWarnings("SystemOut")
  static void progress(String what) {
    System.err.println("bench: " + what);
  }

  private void line(String... parts) {
    out.println(String.join("\t", parts));
    out.flush();
  }

  private static String number(double value) {
    double size = Math.abs(value);
    int digits = size >= 1000 || value == Math.rint(value) ? 0 : size >= 10 ? 1 : 3;
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
