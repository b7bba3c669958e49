package dev.evenkeel.api.txn;

/**
 * When an operation's stored records are written (joints reference, rule 4; operations reference,
 * 3.4).
 */
public enum RecordPhase {
  /** Together with the intent, before the first step: reservations. */
  INTENT,
  /** When every step has succeeded, in one batch with the end of the intent: results. */
  SUCCESS,
  /** When everything has been undone, in one batch with the end of the intent. */
  UNDONE,
  /**
   * When the operation has ended uncertain: a call still runs, or an undo failed. The intent stays
   * open.
   */
  UNCERTAIN
}
