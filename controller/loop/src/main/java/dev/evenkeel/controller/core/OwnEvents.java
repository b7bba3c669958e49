package dev.evenkeel.controller.core;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.event.Shutdown;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.time.Duration;
import java.util.Optional;

/**
 * The events that the loop makes itself: follow-ups, scheduled ones, healings, the engine's upkeep,
 * the shutdown. Their ids are even. Core's thread only.
 */
final class OwnEvents {
  private final Life life;
  private final Queues queues;
  private final Timing timing;
  private final Witness witness;
  private final Verifying verifying;
  private long ids;
  private int scheduled;
  private boolean upkeepQueued;

  OwnEvents(Life life, Queues queues, Timing timing, Witness witness, Verifying verifying) {
    this.verifying = verifying;
    this.life = life;
    this.queues = queues;
    this.timing = timing;
    this.witness = witness;
  }

  private EventId nextId() {
    return new EventId(2 * ++ids);
  }

  private EventRun own(Event event, Optional<Long> parent, int depth) {
    return new EventRun(
        LoopInput.Submitted.of(nextId(), event, timing.now(), Reply.NONE), parent, depth);
  }

  /** Pushes an event of the loop's own, unless events are dropped. */
  boolean make(Event event) {
    if (life.dropsEvents()) {
      return false;
    }
    EventRun run = own(event, Optional.empty(), 0);
    queues.made(run);
    witness.decided(new LoopDecision.Made(run.id(), event));
    return true;
  }

  /** An event that another one's planning needs; it is never answered. */
  EventRun shadow(EventRun of, UpdateEvent event) {
    EventRun shadow = own(event, Optional.of(of.sequence), of.depth);
    shadow.sequence = of.sequence;
    shadow.term = of.term;
    return shadow;
  }

  /** The one shutdown event; a pushed one is refused at the door. */
  EventRun shutdown(Reply reply) {
    Shutdown event = new Shutdown();
    return new EventRun(
        new LoopInput.Submitted(
            nextId(), event, timing.now(), event.spec(), Optional.empty(), reply),
        Optional.empty(),
        0);
  }

  /** Follow-ups and scheduled events of an event that succeeded (JT-11). */
  void publish(EventRun run) {
    if (life.dropsEvents() || run.event() instanceof Shutdown) {
      return;
    }
    for (Event event : run.followUps) {
      followUp(run, event);
    }
    verifying.of(run).ifPresent(event -> followUp(run, event));
    for (EventRun.Scheduled later : run.scheduled) {
      scheduled++;
      timing.after(
          later.delay(),
          () -> {
            scheduled--;
            make(later.event());
          });
    }
  }

  private void followUp(EventRun of, Event event) {
    EventRun next = own(event, Optional.of(of.sequence), of.depth + 1);
    queues.followUp(next);
    witness.decided(new LoopDecision.Made(next.id(), event));
  }

  /** Scheduled events whose time has not come. */
  int scheduled() {
    return scheduled;
  }

  void healPeriodically(Duration period) {
    timing.after(
        period,
        () -> {
          if (life.gateOpen() && !life.closing()) {
            make(new HealingResync(HealingResync.Cause.PERIODIC, 1));
          }
          healPeriodically(period);
        });
  }

  /** A call that nobody waited for has returned: the engine takes it over when it may act. */
  void returnedLate(Action action, ActionOutcome outcome) {
    EventRun run =
        own(
            new EngineUpkeep(Optional.of(new EngineUpkeep.Returned(action, outcome)), false),
            Optional.empty(),
            0);
    if (life.state() == LoopState.STANDBY) {
      queues.keep(run);
    } else {
      queues.made(run);
    }
  }

  /** Paths that were frozen are free again: the engine compares them, once for all that wait. */
  void thawed() {
    if (!upkeepQueued && !life.dropsEvents()) {
      upkeepQueued = true;
      queues.made(own(EngineUpkeep.THAWED, Optional.empty(), 0));
    }
  }

  /** An upkeep has ended. */
  void upkeepDone() {
    upkeepQueued = false;
  }
}
