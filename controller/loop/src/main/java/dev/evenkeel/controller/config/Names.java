package dev.evenkeel.controller.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What may have been meant by a name that nobody has. */
final class Names {
  private Names() {}

  /**
   * What to say of an unknown name.
   *
   * @param former names of the ancestor, with what they are called here
   */
  static String unknown(String name, Collection<String> known, Map<String, String> former) {
    String plain = plain(name);
    for (String other : known) {
      if (plain(other).equals(plain)) {
        return "is not known: names have no dashes or underscores, write " + other;
      }
    }
    for (Map.Entry<String, String> other : former.entrySet()) {
      if (plain(other.getKey()).equals(plain)) {
        return "is not known: what was called so is " + other.getValue() + " here";
      }
    }
    return "is not known"
        + nearest(name, known).map(near -> ": did you mean " + near + "?").orElse("");
  }

  private static String plain(String name) {
    return name.replace("-", "").replace("_", "").replace(".", "").toLowerCase(Locale.ROOT);
  }

  private static Optional<String> nearest(String name, Collection<String> known) {
    String best = "";
    int least = Math.max(2, name.length() / 3) + 1;
    for (String other : known) {
      int distance = distance(name, other);
      if (distance < least) {
        least = distance;
        best = other;
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  /** How many letters must be added, removed or changed. */
  private static int distance(String a, String b) {
    if (a.length() > 100) {
      return Integer.MAX_VALUE;
    }
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, Math.min(above, row[j - 1]) + 1);
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
