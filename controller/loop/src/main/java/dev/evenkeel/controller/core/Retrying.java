package dev.evenkeel.controller.core;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.txn.engine.EngineCore;
import dev.evenkeel.txn.engine.PlannedRetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who sees to a value that failed (JT-12, EW-16): the engine, which tries it again when its retry
 * is due, as an event of the loop's own; and when it does not try any more, the healing. A full
 * resync of which only such values failed has succeeded when they have. Core's thread only.
 */
final class Retrying {
  private static final long NONE = -1;

  private final EngineCore engine;
  private final Life life;
  private final Timing timing;
  private final OwnEvents own;
  private final Healing healing;
  private final Predicate<String> frozen;

  /** Base values that the engine tries again, and what is to be done when it gives up. */
  private final TreeMap<String, Waits> waiting = new TreeMap<>();

  private TimerQueue.@Nullable Timer timer;
  private @Nullable Instant timerAt;
  private boolean queued;

  /** Full resync that has succeeded when nothing that waits for its sake is left. */
  private long owed = NONE;

  private int owedTerm;

  /** The last healing that was counted as failed because of what the engine gave up. */
  private long counted = NONE;

  /**
   * Why it waits.
   *
   * @param sequence of the event in which it failed
   * @param healing whether that was a healing
   * @param heals whether giving it up is a reason to heal
   */
  private record Waits(long sequence, boolean healing, boolean heals) {}

  Retrying(
      EngineCore engine,
      Life life,
      Timing timing,
      OwnEvents own,
      Healing healing,
      Predicate<String> frozen) {
    this.engine = engine;
    this.life = life;
    this.timing = timing;
    this.own = own;
    this.healing = healing;
    this.frozen = frozen;
  }

  /** The engine may have planned something: sees to it that it is done when it is due. */
  void look() {
    Optional<Instant> due = engine.nextRetry(frozen, timing.now()).map(PlannedRetry::due);
    if (due.isPresent() && due.get().equals(timerAt)) {
      return;
    }
    stop();
    if (due.isPresent() && !queued) {
      Duration delay = Duration.between(timing.now(), due.get());
      timerAt = due.get();
      timer = timing.after(delay.isNegative() ? Duration.ZERO : delay, this::push);
    }
  }

  private void push() {
    stop();
    queued = own.make(EngineUpkeep.RETRY);
  }

  /** Whether one can begin now: it may have been hung or frozen meanwhile. */
  boolean isDue() {
    return engine
        .nextRetry(frozen, timing.now())
        .filter(next -> !next.due().isAfter(timing.now()))
        .isPresent();
  }

  /** A retry has ended, or was dropped. */
  void done() {
    queued = false;
  }

  void stop() {
    if (timer != null) {
      timer.cancel();
    }
    timer = null;
    timerAt = null;
  }

  /**
   * An event has ended with failures. Those of values that the engine tries again wait until it has
   * given up.
   *
   * @param heals whether they are a reason to heal
   */
  void failed(EventRun run, List<Failure> failures, boolean heals) {
    boolean all = true;
    for (Failure failure : failures) {
      String base = failure.base().orElse("");
      if (run.event() instanceof EngineUpkeep && waiting.containsKey(base)) {
        continue; // it waits already, for the sake of another event
      }
      if (engine.isRetrying(base)) {
        waiting.put(base, new Waits(run.sequence, Endings.isHealing(run), heals));
      } else {
        all = false;
      }
    }
    if (!all && heals) {
      healing.needed(run);
    } else if (heals && run.method() == EventMethod.FULL_RESYNC) {
      owed = run.sequence;
      owedTerm = run.term;
    }
  }

  /** What the engine does by itself has ended: looks at what it has mended, and what it gave up. */
  void upkept(EventRun run) {
    List<Failure> givenUp = new ArrayList<>();
    Iterator<Map.Entry<String, Waits>> all = waiting.entrySet().iterator();
    boolean healed = false;
    while (all.hasNext()) {
      Map.Entry<String, Waits> one = all.next();
      if (engine.isRetrying(one.getKey())) {
        continue;
      }
      all.remove();
      List<Failure> own = about(run, one.getKey());
      if (!own.isEmpty() && one.getValue().heals()) {
        givenUp.addAll(own);
        owed = one.getValue().sequence() == owed ? NONE : owed;
        healed |= one.getValue().healing() && counts(one.getValue().sequence());
      }
    }
    if (!givenUp.isEmpty()) {
      healing.needed(givenUp, healed, run.term);
    }
  }

  private boolean counts(long sequence) {
    boolean fresh = counted != sequence;
    counted = sequence;
    return fresh;
  }

  private static List<Failure> about(EventRun run, String base) {
    return run.failures.stream().filter(f -> f.base().filter(base::equals).isPresent()).toList();
  }

  /** Whether a full resync has just succeeded, because everything has that it waited for. */
  boolean takeCured() {
    if (owed == NONE || waiting.values().stream().anyMatch(w -> w.sequence() == owed)) {
      return false;
    }
    owed = NONE;
    return life.lives() && owedTerm == life.term();
  }

  /** A resync begins: what has not been mended is looked at there. */
  void resyncs() {
    waiting.clear();
    owed = NONE;
  }
}
