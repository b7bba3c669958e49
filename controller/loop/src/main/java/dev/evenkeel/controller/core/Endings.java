package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.Outcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;

/**
 * How events begin in the history and end with their one outcome: recorded, told, answered when the
 * turn is over, and everything that hangs on them let go. Core's thread only.
 */
final class Endings {
  private final Queues queues;
  private final OwnEvents own;
  private final Timing timing;
  private final Witness witness;
  private final Healing healing;
  private final Retrying retrying;
  private final HistoryStore history;
  private final BiConsumer<EventRun, Outcome<?>> answered;
  private final Deque<Reply> replies = new ArrayDeque<>();
  private final Deque<Outcome<?>> outcomes = new ArrayDeque<>();
  private long sequences;

  Endings(
      Queues queues,
      OwnEvents own,
      Timing timing,
      Witness witness,
      Healing healing,
      Retrying retrying,
      HistoryStore history,
      BiConsumer<EventRun, Outcome<?>> answered) {
    this.queues = queues;
    this.own = own;
    this.timing = timing;
    this.witness = witness;
    this.healing = healing;
    this.retrying = retrying;
    this.history = history;
    this.answered = answered;
  }

  /** Its first turn begins: its permit is free, and the history shows it (JT-17). */
  void begins(EventRun run) {
    take(run);
    run.begun = timing.now();
    run.sequence = sequences++;
    if (witness.looks()) {
      witness.decided(new LoopDecision.Began(run.id(), run.sequence));
    }
    witness.began(run);
    if (run.parent.isPresent() || witness.readsBegins()) {
      EventRecord record = run.record();
      history.put(record);
      witness.tell(listener -> listener.onBegin(record));
    } else {
      history.began(run.sequence, run.submitted, run.begun);
    }
  }

  /** Its permit is free again. */
  private static void take(EventRun run) {
    if (!run.taken) {
      run.taken = true;
      run.submitted.reply().taken();
    }
  }

  /** Its outcome: answered once; everything that hangs on it is let go. */
  void finish(EventRun run, Outcome<?> outcome) {
    if (queues.owner == run) {
      queues.owner = null;
    }
    if (run.deadline != null) {
      run.deadline.cancel();
    }
    take(run);
    if (isHealing(run)) {
      healing.began();
    } else if (EngineUpkeep.isRetry(run)) {
      retrying.done();
    } else if (run.event() instanceof EngineUpkeep) {
      own.upkeepDone();
    }
    Runnable last = run.whenDone;
    if (last != null) {
      run.whenDone = null;
      last.run();
    }
    if (!run.answered) {
      answer(run, outcome);
    } else {
      history.put(run.record());
    }
    if (outcome instanceof Outcome.Applied<?>) {
      own.publish(run);
    }
  }

  static boolean isHealing(EventRun run) {
    return run.event() instanceof HealingResync resync
        && resync.cause() == HealingResync.Cause.AFTER_ERROR;
  }

  private void answer(EventRun run, Outcome<?> outcome) {
    run.answered = true;
    run.ended = timing.now();
    run.outcome = outcome.word();
    if (run.sequence < 0) {
      run.sequence = sequences++;
      run.begun = timing.now();
    }
    if (run.failures.isEmpty() && !outcome.failures().isEmpty()) {
      run.failures.addAll(outcome.failures());
    }
    if (witness.looks()) {
      witness.decided(new LoopDecision.Answered(run.id(), outcome));
    }
    if (history.keeps() || witness.isListenedTo()) {
      EventRecord record = run.record();
      history.put(record);
      witness.tell(listener -> listener.onEnd(record));
    } else {
      history.gone(run.sequence);
    }
    replies.add(run.submitted.reply());
    outcomes.add(outcome);
    answered.accept(run, outcome);
  }

  /** Nobody waits any more, but it goes on: its locks stay, and a later turn ends it (JT-4). */
  void answerEarly(EventRun run, Failure why) {
    if (!run.answered) {
      run.failures.add(why);
      answer(run, new Outcome.Unfinished<>(run.id(), run.failures));
    }
  }

  void refuse(EventRun run, ErrorKind kind, String why) {
    run.failures.add(Chain.loop("push", kind, why));
    finish(run, new Outcome.Refused<>(run.id(), run.failures));
  }

  /** The turn is over: who is answered sees everything that it has changed. */
  void tellAll() {
    Reply reply = replies.poll();
    while (reply != null) {
      reply.answer(outcomes.remove());
      reply = replies.poll();
    }
  }
}
