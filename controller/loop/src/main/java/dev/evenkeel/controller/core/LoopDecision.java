package dev.evenkeel.controller.core;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.TxnEntry;
import java.time.Instant;
import java.util.List;

/** What the core decided in a turn; values, in the order in which they were decided. */
public sealed interface LoopDecision {
  /** An event's first turn began. */
  record Began(EventId id, long sequence) implements LoopDecision {}

  /** An event waits: behind the gate, behind the one that owns the loop, or for newer ones. */
  record Delayed(EventId id) implements LoopDecision {}

  /** An event that waits has taken the place of an older one of its type and key. */
  record Superseded(EventId id, EventId by) implements LoopDecision {}

  /** A handler was called. */
  record Called(EventId id, HandlerRecord record) implements LoopDecision {}

  /** A handler asked for the version of a decision, and got this one. */
  record Versioned(EventId id, String handler, String name, int version) implements LoopDecision {}

  /** The handlers of an event have said what they want. */
  record Planned(EventId id, List<TxnEntry> entries) implements LoopDecision {
    /** Copies the list. */
    public Planned {
      entries = List.copyOf(entries);
    }
  }

  /** A call was handed to the driver. */
  record Dispatched(EventId id, long work, Action.Kind kind, String target)
      implements LoopDecision {}

  /** A script was handed to the driver. */
  record Scripted(EventId id, long work) implements LoopDecision {}

  /** An event was made by the loop: a follow-up, a healing, a scheduled one. */
  record Made(EventId id, Event event) implements LoopDecision {}

  /** A timer was set. */
  record TimerSet(long timer, Instant at) implements LoopDecision {}

  /** An event was answered. */
  record Answered(EventId id, Outcome<?> outcome) implements LoopDecision {}

  /** The loop's state changed. */
  record StateChanged(LoopState before, LoopState after, String reason) implements LoopDecision {}
}
