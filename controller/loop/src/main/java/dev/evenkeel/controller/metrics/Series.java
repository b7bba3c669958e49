package dev.evenkeel.controller.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Numbers by a name that is only known when it turns up, with a limit on how many there are: those
 * beyond it share one, {@link #OTHER}. The loop's thread only; nothing is allocated for a name that
 * is known.
 */
final class Series {
  static final String OTHER = "other";

  private final Map<String, Took> known = new HashMap<>();
  private final int most;
  private final BiConsumer<String, Took> found;

  Series(int most, BiConsumer<String, Took> found) {
    this.most = most;
    this.found = found;
  }

  int size() {
    return known.size();
  }

  Took of(String name) {
    Took took = known.get(name);
    return took != null ? took : add(name);
  }

  private Took add(String name) {
    String shown = known.size() < most ? name : OTHER;
    Took took = known.get(shown);
    if (took == null) {
      took = new Took();
      known.put(shown, took);
      found.accept(shown, took);
    }
    return took;
  }
}
