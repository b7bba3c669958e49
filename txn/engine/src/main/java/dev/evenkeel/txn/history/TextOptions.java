package dev.evenkeel.txn.history;

import dev.evenkeel.api.Experimental;

/**
 * How records are shown as text.
 *
 * @param width of a line of description, from 20
 * @param valueLength how many characters of a value are shown, from 1
 * @param limit how many characters one record gets; what is beyond is left out, with a note
 * @param ascii without frames, arrows and ellipses outside ASCII; values are shown as they are
 * @param printer of values
 */
@Experimental("new")
public record TextOptions(
    int width, int valueLength, int limit, boolean ascii, ValuePrinter printer) {
  /** Refuses limits that leave no room. */
  public TextOptions {
    if (width < 20 || valueLength < 1 || limit < 200) {
      throw new IllegalArgumentException("too narrow to show anything");
    }
  }

  /** Lines of 100 characters, values of 200, records of a million. */
  public static TextOptions standard() {
    return new TextOptions(100, 200, 1_000_000, false, ValuePrinter.PLAIN);
  }

  /** The same with another printer of values. */
  public TextOptions printing(ValuePrinter other) {
    return new TextOptions(width, valueLength, limit, ascii, other);
  }

  /** The same with another limit. */
  public TextOptions limited(int characters) {
    return new TextOptions(width, valueLength, characters, ascii, printer);
  }

  /** The same in ASCII. */
  public TextOptions inAscii() {
    return new TextOptions(width, valueLength, limit, true, printer);
  }

  String arrow() {
    return ascii ? "->" : "→";
  }

  String ellipsis() {
    return ascii ? "..." : "…";
  }

  /** A value, cut and on one line. */
  String value(String key, Object value) {
    String text;
    try {
      text = printer.print(key, value);
    } catch (RuntimeException thrown) {
      return "(cannot be shown: " + thrown.getClass().getSimpleName() + ")";
    }
    return cut(text);
  }

  /** A text on one line, at most as long as a value. */
  String cut(String text) {
    return cut(text, valueLength, ellipsis());
  }

  /** A text on one line, at most so long. */
  static String cut(String text, int length, String ellipsis) {
    boolean longer = text.length() > length;
    StringBuilder shown = new StringBuilder(Math.min(text.length(), length) + 1);
    for (int i = 0; i < Math.min(text.length(), length); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        shown.append("\\n");
      } else {
        shown.append(Character.isISOControl(c) ? '?' : c);
      }
    }
    return longer ? shown.append(ellipsis).toString() : shown.toString();
  }
}
