package dev.evenkeel.app.workload;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them. Pure. */
public final class Sizes {
  /** What to write, for error texts. */
  static final String FORM = "write bytes as a number, or a text such as \"64KiB\" or \"1GiB\"";

  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB", "PiB");
  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,19}) ?(B|KiB|MiB|GiB|TiB|PiB)", Pattern.CASE_INSENSITIVE);

  private Sizes() {}

  /** Bytes of a text such as {@code 64KiB}; empty when it is none, or more than fits. */
  static OptionalLong parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    String unit = matcher.group(2).toLowerCase(Locale.ROOT);
    int power = 0;
    while (!UNITS.get(power).toLowerCase(Locale.ROOT).equals(unit)) {
      power++;
    }
    try {
      return OptionalLong.of(
          Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * power)));
    } catch (ArithmeticException | NumberFormatException tooLarge) {
      return OptionalLong.empty();
    }
  }
}
