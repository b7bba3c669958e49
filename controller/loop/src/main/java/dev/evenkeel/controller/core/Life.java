package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the loop is in its life, and what that means for events: a state machine with the gate in
 * it. Core's thread, but for {@link #state} and {@link #reason}, which any thread may ask for.
 *
 * <pre>
 * STANDBY ⇄ STARTING → RUNNING ⇄ DEGRADED → DRAINING → CLOSED
 *     └─────────┴──────────┴─────────┴─────────┴→ ABORTING ┘
 * </pre>
 */
final class Life {
  private final Witness witness;
  private boolean gateOpen;
  private boolean resyncBegun;
  private boolean closing;
  private boolean closeExpired;
  private int term;
  private volatile LoopState state;
  private volatile Optional<String> reason = Optional.empty();

  Life(LoopState first, Witness witness) {
    this.state = first;
    this.witness = witness;
  }

  LoopState state() {
    return state;
  }

  Optional<String> reason() {
    return reason;
  }

  void enter(LoopState after, String why) {
    LoopState before = state;
    if (before == after) {
      return;
    }
    state = after;
    reason = why.isEmpty() ? Optional.empty() : Optional.of(why);
    witness.decided(new LoopDecision.StateChanged(before, after, why));
    witness.tell(listener -> listener.onState(before, after));
  }

  // The gate.

  boolean gateOpen() {
    return gateOpen;
  }

  /** Only a resync from the datastore opens the gate, or a healing of one that failed (EL 12). */
  boolean passesGate(EventRun run) {
    return gateOpen
        || run.event() instanceof DatastoreResync
        || (resyncBegun
            && run.event() instanceof HealingResync healing
            && healing.cause() == HealingResync.Cause.AFTER_ERROR)
        || run.event() instanceof EngineUpkeep
        || run.fault.isPresent();
  }

  /** Whether it may ever pass while the gate is closed. */
  static boolean mayPassGate(EventRun run) {
    return run.event() instanceof DatastoreResync
        || run.event() instanceof HealingResync
        || run.fault.isPresent();
  }

  boolean resyncBegun() {
    return resyncBegun;
  }

  void resyncBegins() {
    resyncBegun = true;
  }

  /** A full resync has succeeded: the loop is in sync, and events come through. */
  void inSync() {
    gateOpen = true;
    enter(LoopState.RUNNING, "");
  }

  void degraded(String why) {
    if (state == LoopState.RUNNING) {
      enter(LoopState.DEGRADED, why);
    } else if (state == LoopState.DEGRADED || state == LoopState.STARTING) {
      reason = Optional.of(why);
    }
  }

  // Leadership.

  /** Which leadership this is: counts those that were lost. */
  int term() {
    return term;
  }

  void leads() {
    enter(LoopState.STARTING, "");
  }

  void standsBy() {
    gateOpen = false;
    resyncBegun = false;
    term++;
    enter(LoopState.STANDBY, "leadership was lost");
  }

  // The end.

  boolean closing() {
    return closing;
  }

  void closes() {
    closing = true;
    if (state != LoopState.ABORTING) {
      enter(LoopState.DRAINING, "");
    }
  }

  /** Whether what waits is no longer processed. */
  boolean closeExpired() {
    return closeExpired;
  }

  void closeExpires() {
    closeExpired = true;
  }

  // What follows from it.

  /** Whether a full resync that succeeds brings the loop in sync. */
  boolean lives() {
    return state == LoopState.STARTING || state == LoopState.RUNNING || state == LoopState.DEGRADED;
  }

  /** Whether a failure is healed: not while a startup resync is awaited, which does it anyway. */
  boolean heals(int ofTerm) {
    return lives() && ofTerm == term && (gateOpen || resyncBegun);
  }

  boolean isAborting() {
    return state == LoopState.ABORTING;
  }

  /** Whether events are answered without being processed. */
  boolean dropsEvents() {
    LoopState now = state;
    if (now == LoopState.RUNNING) {
      return false; // most of the time
    }
    return switch (now) {
      case ABORTING, CLOSED, STANDBY -> true;
      case DRAINING -> closeExpired || !gateOpen;
      case STARTING, RUNNING, DEGRADED -> false;
    };
  }

  /** Whether an event that has begun takes its next turn: neither dropped nor of an older term. */
  boolean goesOn(EventRun run) {
    return !run.answered && !dropsEvents() && run.term == term;
  }

  /** The outcome of an event that is not processed, as things stand. */
  Outcome<?> dropped(EventRun run) {
    List<Failure> failures = new ArrayList<>(run.failures);
    String why =
        switch (state) {
          case ABORTING -> "the loop is aborting: " + reason.orElse("");
          case STANDBY -> "another controller leads";
          case DRAINING, CLOSED -> "the loop was closed";
          case STARTING, RUNNING, DEGRADED -> "another controller has led meanwhile";
        };
    failures.add(Chain.loop("push", ErrorKind.UNAVAILABLE, why));
    return new Outcome.Dropped<>(run.id(), failures);
  }
}
