package dev.evenkeel.controller.core;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.HealingResync;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * When the loop heals itself after errors (EL 30; EW-2, EW-16): one healing at a time, after a
 * delay that doubles when healing fails; too many failures in a row are fatal; a full resync that
 * succeeds ends it. Core's thread only.
 */
final class Healing {
  private static final int CAUSES = 5;

  private final LoopConfig config;
  private final Life life;
  private final Timing timing;
  private final OwnEvents own;
  private final Consumer<String> abort;
  private final List<String> causes = new ArrayList<>();
  private final Count scheduled = new Count();
  private int failed;
  private boolean queued;
  private TimerQueue.@Nullable Timer timer;

  Healing(LoopConfig config, Life life, Timing timing, OwnEvents own, Consumer<String> abort) {
    this.config = config;
    this.life = life;
    this.timing = timing;
    this.own = own;
    this.abort = abort;
  }

  /** An event ended with a failure that healing is for, if nothing else is coming that heals. */
  void needed(EventRun run) {
    needed(run.failures, Endings.isHealing(run), run.term);
  }

  /**
   * Something has failed.
   *
   * @param ofHealing whether that makes a healing fail
   * @param term in which it was
   */
  void needed(List<Failure> failures, boolean ofHealing, int term) {
    if (!life.heals(term)) {
      return;
    }
    for (Failure failure : failures) {
      if (causes.size() < CAUSES && !causes.contains(failure.toString())) {
        causes.add(failure.toString());
      }
    }
    if (ofHealing && ++failed >= config.healingAttempts()) {
      abort.accept("healing failed " + failed + " times: " + String.join("; ", causes));
      return;
    }
    life.degraded(String.join("; ", causes));
    if (timer == null && !queued) {
      timer = timing.after(delay(), this::push);
      scheduled.add(1);
    }
  }

  /** How many were planned; any thread. */
  long scheduled() {
    return scheduled.get();
  }

  private Duration delay() {
    Duration delay = config.healingDelay();
    for (int i = 0; i < failed && delay.compareTo(config.healingCap()) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    return failed > 0 && delay.compareTo(config.healingCap()) > 0 ? config.healingCap() : delay;
  }

  private void push() {
    timer = null;
    queued = own.make(new HealingResync(HealingResync.Cause.AFTER_ERROR, failed + 1));
  }

  /** A healing begins, or was dropped. */
  void began() {
    queued = false;
  }

  /** A full resync has succeeded: all is well. */
  void cured() {
    failed = 0;
    causes.clear();
    stop();
  }

  void stop() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
