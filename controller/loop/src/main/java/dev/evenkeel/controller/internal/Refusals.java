package dev.evenkeel.controller.internal;

import dev.evenkeel.controller.metrics.LoopReadings.Refusal;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How many pushes were refused, and why. Any thread. */
public final class Refusals {
  private final Map<Refusal, LongAdder> counts = new EnumMap<>(Refusal.class);

  /** None yet. */
  public Refusals() {
    for (Refusal why : Refusal.values()) {
      counts.put(why, new LongAdder());
    }
  }

  /** One more. */
  public void add(Refusal why) {
    of(why).increment();
  }

  /** How many. */
  public long count(Refusal why) {
    return of(why).sum();
  }

  private LongAdder of(Refusal why) {
    LongAdder count = counts.get(why);
    if (count == null) {
      throw new IllegalStateException("no number for " + why);
    }
    return count;
  }
}
