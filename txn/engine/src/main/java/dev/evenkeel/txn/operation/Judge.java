package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.handler.Found;
import java.util.Optional;

/** Compares an operation with the journal of its subject. Pure. */
final class Judge {
  private Judge() {}

  /**
   * What is found, and so what is to be done first. What was completed counts unless it is being
   * removed: part of it may be gone already.
   */
  static Verdict judge(Operation operation, Loaded loaded) {
    JournalState journal = loaded.journal();
    Lane.Operation lane = operation.lane();
    Optional<Verdict> foreign = newer(lane, journal);
    if (foreign.isPresent()) {
      return foreign.get();
    }
    if (journal.interrupted().isPresent() && journal.unsettled().isPresent()) {
      return refuse(
          lane,
          ErrorKind.BUSY,
          lane.subject()
              + ": an act of an earlier leader (epoch "
              + journal.interrupted().get().epoch()
              + ") may still be under way; repeat the request after "
              + journal.unsettled().get());
    }
    boolean going =
        journal.interrupted().filter(o -> o.completion() == Lane.Completion.ERASE).isPresent();
    if (lane.completion() == Lane.Completion.KEEP && journal.done().isPresent() && !going) {
      return completed(lane, journal.done().get());
    }
    if (journal.interrupted().isEmpty()) {
      return new Verdict.Plan(new Found.New());
    }
    return interrupted(operation, lane, journal.interrupted().get(), loaded);
  }

  private static Optional<Verdict> newer(Lane.Operation lane, JournalState journal) {
    int open = journal.open().map(OpenRecord::version).orElse(0);
    int done = journal.done().map(DoneRecord::version).orElse(0);
    long epoch = journal.open().map(OpenRecord::epoch).orElse(0L);
    String text = "";
    if (open > OpenRecord.VERSION || done > DoneRecord.VERSION) {
      text =
          "its journal has version "
              + Math.max(open, done)
              + ", this build knows up to "
              + OpenRecord.VERSION
              + ": use a newer build";
    } else if (!journal.epoch().equals(Epoch.NONE) && epoch > journal.epoch().number()) {
      text = "a newer leader has begun something on it: epoch " + epoch;
    }
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(refuse(lane, ErrorKind.FAILED_PRECONDITION, lane.subject() + ": " + text));
  }

  private static Verdict completed(Lane.Operation lane, DoneRecord done) {
    return done.isSame(lane)
        ? new Verdict.Plan(new Found.Repeat(done.transaction(), done.completed()))
        : refuse(
            lane,
            ErrorKind.ALREADY_EXISTS,
            done.subject() + " exists already, made by " + done.kind() + " with other parameters");
  }

  private static Verdict interrupted(
      Operation operation, Lane.Operation lane, OpenRecord open, Loaded loaded) {
    if (open.isSame(lane)) {
      operation.transaction(open.transaction());
      return new Verdict.Plan(new Found.Interrupted(open.intent()));
    }
    if (lane.completion() == Lane.Completion.ERASE || open.completion() == Lane.Completion.FORGET) {
      return new Verdict.Plan(new Found.New());
    }
    return loaded
        .interrupted()
        .<Verdict>map(
            event ->
                new Verdict.RecoverFirst(
                    event, open.intent(), open.completion() == Lane.Completion.ERASE))
        .orElseGet(
            () ->
                refuse(
                    lane,
                    ErrorKind.FAILED_PRECONDITION,
                    open.subject()
                        + " has an interrupted "
                        + open.kind()
                        + " whose event ("
                        + open.eventType()
                        + ") this build cannot read: repeat that request"));
  }

  private static Verdict refuse(Lane.Operation lane, ErrorKind kind, String text) {
    return new Verdict.Refuse(Failure.of("journal", "plan " + lane.kind(), kind, text));
  }
}
