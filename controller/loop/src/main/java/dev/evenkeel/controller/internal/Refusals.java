package dev.evenkeel.controller.internal;

import dev.evenkeel.controller.core.LoopInput;
import dev.evenkeel.controller.metrics.LoopReadings.Refusal;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How many pushes were refused, and why. Any thread. */
public final class Refusals {
  private final Map<Refusal, LongAdder> counts = new EnumMap<>(Refusal.class);
  private final Map<Refusal, Long> taken = new EnumMap<>(Refusal.class);
  private volatile boolean any;

  /** None yet. */
  public Refusals() {
    for (Refusal why : Refusal.values()) {
      counts.put(why, new LongAdder());
    }
  }

  /** One more. */
  public void add(Refusal why) {
    of(why).increment();
    if (!any) {
      any = true;
    }
  }

  /** Those since the last call, to be recorded (JT-10); null when there are none. Loop's thread. */
  public @Nullable LoopInput take() {
    if (!any) {
      return null;
    }
    any = false;
    return new LoopInput.Refused(
        since(Refusal.FULL), since(Refusal.CLOSED), since(Refusal.NOT_LEADER));
  }

  private long since(Refusal why) {
    long now = count(why);
    Long before = taken.put(why, now);
    return now - (before == null ? 0 : before);
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
