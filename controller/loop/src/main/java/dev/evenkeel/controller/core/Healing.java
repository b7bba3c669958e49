package dev.evenkeel.controller.core;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.HealingResync;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When the loop heals itself after errors (EL 30; EW-2, EW-16): one healing at a time, after a
 * delay that doubles when healing fails; too many failures in a row are fatal; a full resync that
 * succeeds ends it. Core's thread only.
 */
final class Healing {
  private static final int CAUSES = 5;

  private final LoopCore core;
  private final LoopConfig config;
  private final List<String> causes = new ArrayList<>();
  private int failed;
  private boolean queued;
  private TimerQueue.@Nullable Timer timer;

  Healing(LoopCore core, LoopConfig config) {
    this.core = core;
    this.config = config;
  }

  /** An event ended with a failure that healing is for, if nothing else is coming that heals. */
  void needed(EventRun run) {
    if (!core.heals(run)) {
      return;
    }
    for (Failure failure : run.failures) {
      if (causes.size() < CAUSES && !causes.contains(failure.toString())) {
        causes.add(failure.toString());
      }
    }
    if (run.event() instanceof HealingResync healing
        && healing.cause() == HealingResync.Cause.AFTER_ERROR
        && ++failed >= config.healingAttempts()) {
      core.abort("healing failed " + failed + " times: " + String.join("; ", causes));
      return;
    }
    core.degraded(String.join("; ", causes));
    if (timer == null && !queued) {
      timer = core.timer(delay(), this::push);
    }
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
    queued = core.make(new HealingResync(HealingResync.Cause.AFTER_ERROR, failed + 1));
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
