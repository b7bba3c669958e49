package dev.evenkeel.api.volume;

import dev.evenkeel.api.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** The rules for names, sizes and parameters that come from outside. Pure; any thread. */
public final class VolumeNames {
  /** Longest name or id, in characters. */
  public static final int LONGEST = 128;

  /** Most characters of all parameters together. */
  public static final int LARGEST_PARAMETERS = 4096;

  private VolumeNames() {}

  /** Gives the name back, or throws {@link InvalidInputException}. */
  public static String check(String what, String name) {
    String fault = fault(name);
    if (!fault.isEmpty()) {
      throw InvalidInputException.of(what, "name", printable(name), fault);
    }
    return name;
  }

  /** What is wrong with a name; empty when nothing is. */
  public static String fault(String name) {
    if (name.isEmpty()) {
      return "must not be empty";
    }
    if (name.length() > LONGEST) {
      return "must have at most " + LONGEST + " characters, has " + name.length();
    }
    if (name.equals(".") || name.equals("..")) {
      return "must not be a relative path";
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '/' || c == '\\') {
        return "must not contain a path separator";
      }
      if (Character.isISOControl(c) || (Character.isSurrogate(c) && !pair(name, i))) {
        return "must not contain control characters or broken ones";
      }
    }
    return "";
  }

  /** Every fault in a map of parameters. */
  public static List<InvalidInputException.Fault> parameterFaults(
      SortedMap<String, String> parameters) {
    List<InvalidInputException.Fault> faults = new ArrayList<>();
    int total = 0;
    for (var entry : parameters.entrySet()) {
      total += entry.getKey().length() + entry.getValue().length();
      if (entry.getKey().isEmpty() || entry.getKey().length() > LONGEST) {
        faults.add(
            new InvalidInputException.Fault(
                "parameters",
                printable(entry.getKey()),
                "a name has 1 to " + LONGEST + " characters"));
      }
    }
    if (total > LARGEST_PARAMETERS) {
      faults.add(
          new InvalidInputException.Fault(
              "parameters",
              "",
              "must have at most " + LARGEST_PARAMETERS + " characters together, have " + total));
    }
    return faults;
  }

  private static boolean pair(String name, int i) {
    return Character.isHighSurrogate(name.charAt(i))
        ? i + 1 < name.length() && Character.isLowSurrogate(name.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(name.charAt(i - 1));
  }

  private static String printable(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), 80); i++) {
      char c = text.charAt(i);
      out.append(Character.isISOControl(c) ? '?' : c);
    }
    return out.toString();
  }
}
