package dev.evenkeel.controller.internal;

import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.Stall;
import dev.evenkeel.api.loop.StallListener;
import dev.evenkeel.controller.core.LoopActivity;
import dev.evenkeel.controller.core.LoopClock;
import dev.evenkeel.controller.core.LoopCore;
import dev.evenkeel.controller.core.LoopInput;
import dev.evenkeel.controller.flight.StallEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is said of a loop whose thread does not move: who holds it, where, what waits; to the log,
 * to the flight recorder, and to the listeners. On the watch's thread; counts are read by any.
 */
final class StallReports implements StallWatch.Reports {
  private static final Logger LOG = LoggerFactory.getLogger(StallReports.class);
  private static final int FRAMES = 64;
  private static final int NAMED = 10;

  private final String name;
  private final LoopCore core;
  private final LoopClock clock;
  private final Thread thread;
  private final Queue queue;
  private final List<StallListener> listeners;
  private final AtomicLong warnings = new AtomicLong();
  private final AtomicLong limits = new AtomicLong();

  /** What waits for the loop. */
  interface Queue {
    /** Wakes the loop if it sleeps. */
    void wake();

    /** How many. */
    int waiting();

    /** The first of them, oldest first; of a loop that stands still. */
    List<LoopInput.Submitted> first(int most);
  }

  StallReports(
      String name,
      LoopCore core,
      LoopClock clock,
      Thread thread,
      Queue queue,
      List<StallListener> listeners) {
    this.name = name;
    this.core = core;
    this.clock = clock;
    this.thread = thread;
    this.queue = queue;
    this.listeners = listeners;
  }

  /** How often a threshold has passed. */
  long count(Stall.Level level) {
    return (level == Stall.Level.WARNING ? warnings : limits).get();
  }

  @Override
  public void wake() {
    queue.wake();
  }

  @Override
  public Stall stalled(Stall.Level level, Instant since, Instant fired) {
    (level == Stall.Level.WARNING ? warnings : limits).incrementAndGet();
    LoopActivity.Doing doing = core.activity().now();
    List<StackTraceElement> stack = StallWatch.stackOf(thread, FRAMES);
    Stall stall =
        new Stall(
            name,
            level,
            since,
            fired,
            clock.now(),
            doing.text(),
            doing.sequence(),
            doing.owner(),
            queue.waiting(),
            waits(fired),
            stack);
    StallEvent.tell(stall);
    log(stall);
    tell(listener -> listener.onStall(stall));
    return stall;
  }

  @Override
  public void over(Stall last, Duration lasted) {
    LOG.info("Loop {} goes on: it stood still for {} in {}", name, lasted, last.doing());
    tell(listener -> listener.onOver(last, lasted));
  }

  private void tell(Consumer<StallListener> what) {
    for (StallListener listener : listeners) {
      try {
        what.accept(listener);
      } catch (RuntimeException | Error thrown) {
        LOG.warn("Loop {}: a stall listener failed", name, thrown);
      }
    }
  }

  private void log(Stall stall) {
    StringBuilder where = new StringBuilder();
    stall.stack().forEach(frame -> where.append("\n  at ").append(frame));
    Duration held = Duration.between(stall.since(), stall.fired());
    Duration late = Duration.between(stall.fired(), stall.dumped());
    String then =
        stall.level() == Stall.Level.LIMIT ? "; it is not ready until its thread moves again" : "";
    String text =
        "Loop {}: held for {} by {}{}; {} events wait, {}; its thread, {} after that, is at:{}";
    Object[] parts = {name, held, stall.doing(), then, stall.waiting(), stall.queue(), late, where};
    if (stall.level() == Stall.Level.LIMIT) {
      LOG.error(text, parts);
    } else {
      LOG.warn(text, parts);
    }
  }

  /** Operations under way, and the events that come next, in words; no more than some. */
  private List<String> waits(Instant now) {
    List<String> words = new ArrayList<>();
    List<EventRecord> newest = core.history().last(NAMED);
    for (EventRecord record : newest) {
      if (record.end().isEmpty()) {
        words.add(text(record.id() + " " + record.type(), "runs", record.start(), now));
      }
    }
    for (LoopInput.Submitted event : queue.first(NAMED)) {
      words.add(text(event.id() + " " + typeOf(event), "waits", event.pushed(), now));
    }
    return words;
  }

  private static String text(String event, String what, Instant since, Instant now) {
    return "event " + event + " " + what + " for " + Duration.between(since, now);
  }

  /** The event is a user's: what it throws when it is asked must not hide the stall. */
  private static String typeOf(LoopInput.Submitted event) {
    try {
      return event.event().type().name();
    } catch (RuntimeException | Error thrown) {
      return event.event().getClass().getSimpleName();
    }
  }
}
