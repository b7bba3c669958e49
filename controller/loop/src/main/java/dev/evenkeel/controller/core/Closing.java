package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a loop is closed (JT-18): what waits is processed until the limit, then the handlers see the
 * shutdown, then whatever is left is answered. Core's thread only.
 */
final class Closing {
  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  /** How long calls, all together, are still waited for once the time for closing is up. */
  private static final Duration HURRY = Duration.ofMillis(10);

  private final LoopCore core;
  private final LoopConfig config;
  private final Life life;
  private final Queues queues;
  private final Timing timing;
  private TimerQueue.@Nullable Timer limit;
  private boolean shutdownShown;
  private volatile Optional<Outcome<Void>> shutdownOutcome = Optional.empty();

  Closing(LoopCore core, LoopConfig config, Life life, Queues queues, Timing timing) {
    this.core = core;
    this.config = config;
    this.life = life;
    this.queues = queues;
    this.timing = timing;
  }

  void begin(Instant until) {
    if (life.closing()) {
      return;
    }
    core.healing().stop();
    core.retrying().stop();
    life.closes();
    if (life.dropsEvents()) {
      core.dropWaiting();
    }
    if (until.isAfter(timing.now())) {
      limit = timing.after(Duration.between(timing.now(), until), this::limitPassed);
    } else {
      limitPassed();
    }
  }

  private void limitPassed() {
    life.closeExpires();
    core.dropWaiting();
    hurryOwner(config.closeLimit());
  }

  private void hurryOwner(Duration passed) {
    core.dispatcher().hurry(HURRY);
    if (queues.isOwned()) {
      core.serial().giveUp(passed);
    }
  }

  /** Everything that was accepted has been handed over: the shutdown, and after it the end. */
  void drained() {
    if (!core.wantsDrained()) {
      return;
    }
    if (life.gateOpen() && life.state() == LoopState.DRAINING && !shutdownShown) {
      shutdownShown = true;
      life.closeExpires();
      if (limit != null) {
        limit.cancel();
      }
      core.dispatcher().hurry(config.shutdownLimit());
      timing.after(config.shutdownLimit(), () -> hurryOwner(config.shutdownLimit()));
      core.begin(core.own().shutdown(new ShutdownReply()));
    } else {
      end();
    }
  }

  /** Nothing is processed any more, and everything has its outcome. */
  void end() {
    core.dropWaiting();
    OperationLane operations = core.operations();
    if (operations != null) {
      Failure why = Chain.loop("close", ErrorKind.UNAVAILABLE, "the loop was closed; it goes on");
      for (EventRun run : operations.events()) {
        operations.giveUp(run, why);
      }
    }
    life.enter(LoopState.CLOSED, life.reason().orElse(""));
    core.ends();
  }

  /** Any thread. */
  Optional<Outcome<Void>> shutdownOutcome() {
    return shutdownOutcome;
  }

  /** Nobody pushed the shutdown; whoever closes the loop asks for its outcome. */
  private final class ShutdownReply implements Reply {
    @Override
    public void taken() {}

    @Override
    @SuppressWarnings("unchecked") // a shutdown is no request: it has no answer
    public void answer(Outcome<?> outcome) {
      shutdownOutcome = Optional.of((Outcome<Void>) outcome);
      if (!outcome.isSuccess()) {
        LOG.warn("The shutdown was {}: {}", outcome.word(), outcome.failures());
      }
    }
  }
}
