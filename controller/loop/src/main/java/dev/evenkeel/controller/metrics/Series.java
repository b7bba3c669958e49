package dev.evenkeel.controller.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Numbers by a name that is only known when it turns up, with a limit on how many there are: those
 * beyond it share one, {@link #OTHER}. The loop's thread only; nothing is allocated for a name that
 * is known.
 */
final class Series {
  static final String OTHER = "other";

  private static final int CALLS = 16;

  private final @Nullable Took[] lasts = new Took[CALLS];
  private final @Nullable String[] lastNames = new String[CALLS];
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

  /**
   * The same for the call of that place among an event's: mostly it is of whom it was the last
   * time.
   */
  @SuppressWarnings("ReferenceEquality") // only saves looking it up
  Took of(int call, String name) {
    if (call >= CALLS) {
      return of(name);
    }
    Took last = lasts[call];
    if (last == null || lastNames[call] != name) {
      last = of(name);
      lasts[call] = last;
      lastNames[call] = name;
    }
    return last;
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
