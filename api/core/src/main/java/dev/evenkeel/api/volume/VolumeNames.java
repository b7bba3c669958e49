package dev.evenkeel.api.volume;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The rules for names, sizes and parameters that come from outside. Pure; any thread. */
public final class VolumeNames {
  /** Longest name or id, in characters. */
  public static final int LONGEST = 128;

  /** Most characters of all parameters together. */
  public static final int LARGEST_PARAMETERS = 4096;

  /** Longest path, in characters. */
  public static final int LONGEST_PATH = 1024;

  /**
   * Begins the names of parameters that may change later and so do not make a repeat another
   * request.
   */
  @Experimental("new")
  public static final String MUTABLE = "mutable/";

  private VolumeNames() {}

  /** Gives an absolute path on a node back, or throws {@link InvalidInputException}. */
  @Experimental("new")
  public static String checkPath(String what, String path) {
    String fault = "";
    if (path.isEmpty()) {
      fault = "must not be empty";
    } else if (path.length() > LONGEST_PATH) {
      fault = "must have at most " + LONGEST_PATH + " characters, has " + path.length();
    } else if (!path.startsWith("/") || path.equals("/")) {
      fault = "must be absolute, and not the root";
    } else if ((path + "/").contains("/../") || path.chars().anyMatch(Character::isISOControl)) {
      fault = "must not contain '..' or control characters";
    }
    if (!fault.isEmpty()) {
      throw InvalidInputException.of(what, "path", printable(path), fault);
    }
    return path;
  }

  /** The parameters that may change, without their prefix, or the ones that may not. Pure. */
  @Experimental("new")
  public static SortedMap<String, String> parameters(
      SortedMap<String, String> all, boolean mutable) {
    TreeMap<String, String> some = new TreeMap<>();
    all.forEach(
        (name, value) -> {
          if (name.startsWith(MUTABLE) == mutable) {
            some.put(mutable ? name.substring(MUTABLE.length()) : name, value);
          }
        });
    return some;
  }

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
