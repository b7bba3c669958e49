package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.event.TransactionType;
import dev.evenkeel.api.loop.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes one of events of one type and key that wait (JT-21): the newest survives, at the place of
 * the oldest. The others give their permits back and are answered with its outcome. Where too many
 * are kept for that, they keep their permits, so that the memory that they take is bounded, however
 * many are pushed. Core's thread only.
 */
final class Coalescing {
  private final Map<Name, EventRun> waiting = new HashMap<>();
  private final Queues queues;
  private final Endings endings;
  private final Timing timing;
  private final Witness witness;
  private final int most;
  private int without;

  /** What must be the same. */
  private record Name(String type, String key) {}

  Coalescing(Queues queues, Endings endings, Timing timing, Witness witness, int most) {
    this.queues = queues;
    this.endings = endings;
    this.timing = timing;
    this.witness = witness;
    this.most = most;
  }

  private static @Nullable Name nameOf(EventRun run) {
    EventSpec spec = run.submitted.said();
    if (spec == null || spec.coalesce().isEmpty()) {
      return null;
    }
    boolean never =
        run.fault.isPresent()
            || run.event() instanceof Request<?>
            || spec.transaction() == TransactionType.REVERT_ON_FAILURE
            || run.lane() != null;
    return never ? null : new Name(run.typeName(), spec.coalesce().orElseThrow());
  }

  /** Whether it may be superseded while it waits. */
  static boolean isPossible(EventRun run) {
    return nameOf(run) != null;
  }

  /** Whether something that waits may be superseded. */
  boolean isAny() {
    return !waiting.isEmpty();
  }

  /** A pushed event has to wait: in the place of an older one, or behind all others. */
  void wait(EventRun run) {
    Name name = nameOf(run);
    EventRun old = name == null ? null : waiting.put(name, run);
    if (old == null) {
      queues.wait(run);
      witness.decided(new LoopDecision.Delayed(run.id()));
    } else {
      queues.replace(old, run);
      supersede(old, run);
    }
  }

  /** It waits no more, whatever the reason. */
  void left(EventRun run) {
    Name name = nameOf(run);
    if (name != null) {
      waiting.remove(name, run);
    }
  }

  private void supersede(EventRun old, EventRun by) {
    witness.decided(new LoopDecision.Superseded(old.id(), by.id()));
    Superseded all = old.superseded == null ? new Superseded(by) : old.superseded;
    all.survivor(by);
    by.superseded = all;
    old.superseded = null;
    all.add(riderOf(old, all));
  }

  private Superseded.Rider riderOf(EventRun old, Superseded all) {
    Superseded.Rider rider = new Superseded.Rider(old.submitted);
    if (without < most) {
      without++;
      rider.taken = true;
      old.submitted.reply().taken();
    }
    TimerQueue.Timer before = old.deadline;
    if (before != null) {
      before.cancel();
      Duration limit = old.spec().flatMap(EventSpec::deadline).orElseThrow();
      Duration left = Duration.between(timing.now(), before.at());
      rider.deadline = timing.after(left, () -> deadlinePassed(all, rider, limit));
    }
    return rider;
  }

  private void deadlinePassed(Superseded all, Superseded.Rider rider, Duration limit) {
    all.remove(rider);
    EventRun run = runOf(rider);
    String text = "its deadline of " + limit + " has passed";
    if (all.survivor().sequence < 0) {
      endings.refuse(run, ErrorKind.DEADLINE_EXCEEDED, text + " before it began");
    } else {
      run.failures.add(
          Chain.loop(
              "wait", ErrorKind.DEADLINE_EXCEEDED, text + "; what runs in its place goes on"));
      endings.finish(run, new Outcome.Unfinished<>(run.id(), run.failures));
    }
  }

  private EventRun runOf(Superseded.Rider rider) {
    if (rider.taken) {
      without--;
    }
    if (rider.deadline != null) {
      rider.deadline.cancel();
    }
    EventRun run = new EventRun(rider.submitted, Optional.empty(), 0);
    run.taken = rider.taken;
    return run;
  }

  /** The survivor has been answered: so are those that it has superseded. */
  void answered(EventRun survivor, Outcome<?> outcome) {
    Superseded all = survivor.superseded;
    if (all == null) {
      return;
    }
    survivor.superseded = null;
    for (Superseded.Rider rider : all.riders()) {
      EventRun run = runOf(rider);
      run.supersededBy = survivor.id();
      endings.finish(run, new Outcome.Superseded<>(run.id(), outcome));
    }
  }
}
