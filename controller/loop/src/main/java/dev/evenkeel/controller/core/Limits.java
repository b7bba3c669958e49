package dev.evenkeel.controller.core;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How often the core has reached one of its limits (EW-15). Written by the core's thread, read by
 * any. The log is told the first time, and each time the number has doubled.
 */
public final class Limits {
  private static final Logger LOG = LoggerFactory.getLogger(Limits.class);

  private final String loop;
  private final Map<Limit, Count> counts = new EnumMap<>(Limit.class);

  /** The limits, each a number of the configuration. */
  public enum Limit {
    /** {@link LoopConfig#historyRecords}: the oldest record went before its time. */
    HISTORY_RECORDS,
    /** {@link LoopConfig#historyBytes}: the oldest record went before its time. */
    HISTORY_BYTES,
    /** {@link LoopConfig#maxFollowUps}: a handler was refused one. */
    FOLLOW_UPS,
    /** {@link LoopConfig#maxFollowUpDepth}: a handler was refused one. */
    FOLLOW_UP_DEPTH,
    /** {@link LoopConfig#maxTimers}: a handler was refused a scheduled event. */
    TIMERS;

    /** As it is written in metrics. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  Limits(String loop) {
    this.loop = loop;
    for (Limit limit : Limit.values()) {
      counts.put(limit, new Count());
    }
  }

  private Count of(Limit limit) {
    Count count = counts.get(limit);
    if (count == null) {
      throw new IllegalStateException("no such limit: " + limit);
    }
    return count;
  }

  void reached(Limit limit) {
    Count count = of(limit);
    count.add(1);
    long times = count.get();
    if (Long.bitCount(times) == 1) {
      LOG.warn("Loop {}: its limit of {} has been reached, {} times", loop, limit.word(), times);
    }
  }

  /** How often; any thread. */
  public long count(Limit limit) {
    return of(limit).get();
  }
}
