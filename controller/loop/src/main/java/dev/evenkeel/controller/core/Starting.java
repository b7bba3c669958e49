package dev.evenkeel.controller.core;

import dev.evenkeel.api.loop.LoopState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a loop comes to lead: its first input, the deadline for the first resync (EL 16), leadership
 * won and lost. Core's thread only.
 */
final class Starting {
  private static final Duration TRIM_EVERY = Duration.ofMinutes(1);

  private final LoopCore core;
  private final LoopConfig config;
  private final Life life;
  private final Queues queues;
  private final Timing timing;
  private final HistoryStore history;
  private TimerQueue.@Nullable Timer watch;

  Starting(
      LoopCore core,
      LoopConfig config,
      Life life,
      Queues queues,
      Timing timing,
      HistoryStore history) {
    this.core = core;
    this.config = config;
    this.life = life;
    this.queues = queues;
    this.timing = timing;
    this.history = history;
  }

  void start() {
    history.started(timing.now());
    trimLater();
    if (life.state() == LoopState.STARTING) {
      awaitResync();
    }
  }

  private void trimLater() {
    timing.after(
        TRIM_EVERY,
        () -> {
          history.trimToAge(timing.now());
          trimLater();
        });
  }

  private void awaitResync() {
    if (watch != null) {
      watch.cancel();
    }
    watch =
        timing.after(
            config.startupDeadline(),
            () -> {
              if (!life.resyncBegun() && life.state() == LoopState.STARTING) {
                core.abort("no resync within " + config.startupDeadline() + " after the start");
              }
            });
  }

  void led(boolean leads) {
    if (leads && life.state() == LoopState.STANDBY) {
      life.leads();
      queues.releaseKept();
      awaitResync();
    } else if (!leads && !life.closing() && !life.dropsEvents()) {
      core.healing().cured();
      life.standsBy();
      queues.dropButReturns(core::drop);
    }
  }
}
