package dev.evenkeel.txn.operation;

import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.txn.RecordPhase;
import java.util.List;
import java.util.function.Supplier;

/**
 * How a script runs, and for which intent.
 *
 * @param mode which way it goes
 * @param subject canonical
 * @param completion what the journal keeps
 * @param seen the journal, as the verdict saw it
 * @param intent the intent to store; asked on a worker
 * @param journal where
 */
record ScriptPlan(
    Mode mode,
    String subject,
    Lane.Completion completion,
    JournalState seen,
    Supplier<OpenRecord> intent,
    Journal journal) {
  /** Which way a script goes. */
  enum Mode {
    /** What it finds is somebody else's. */
    NEW,
    /** What it finds is its own. */
    RESUME,
    /** It was completed: it looks, and does nothing. */
    REPEAT,
    /** It is not wanted any more: back. */
    UNDO;

    /** Whether steps that are found are this operation's own. */
    boolean owns() {
      return this == RESUME || this == UNDO;
    }
  }

  /** Whether there is nothing to do or to write: then the journal is not touched. */
  boolean isNothing(List<StepRun<?>> steps, ScriptRecords records) {
    boolean forgets = completion == Lane.Completion.ERASE && seen.done().isPresent();
    return steps.isEmpty()
        && !records.has(RecordPhase.INTENT)
        && !records.has(RecordPhase.SUCCESS)
        && seen.open().isEmpty()
        && !forgets;
  }

  /**
   * Whether its intent must stay open until it succeeds: an interrupted removal of something that
   * was never completed. The intent of making it was superseded, so this one alone leads to what
   * was left behind.
   */
  boolean mustGoOn() {
    return mode == Mode.RESUME && completion == Lane.Completion.ERASE && seen.done().isEmpty();
  }

  /** Whether the intent of something completed is still there. */
  boolean isLeftOver() {
    return seen.open().isPresent() && seen.interrupted().isEmpty();
  }

  Journal.Begun begin(Batch records) {
    return journal.begin(intent.get(), seen, records);
  }

  /** The intent as it is stored, for going back. */
  Journal.Begun begun() {
    return Journal.open(seen);
  }

  Object tidy(Batch none) {
    journal.undone(Journal.open(seen), none);
    return true;
  }

  Object succeed(Journal.Begun begun, Batch records) {
    journal.succeed(begun, records);
    return true;
  }

  Object undone(Journal.Begun begun, Batch records) {
    journal.undone(begun, records);
    return true;
  }

  Object uncertain(Journal.Begun begun, Batch records) {
    journal.uncertain(begun, records);
    return true;
  }
}
