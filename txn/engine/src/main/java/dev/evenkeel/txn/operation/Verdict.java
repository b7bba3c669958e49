package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.Intent;

/** What the journal's state means for an operation that is about to be planned (JT-3, JT-13). */
public sealed interface Verdict {
  /**
   * Refused, with nothing done; then comes {@link OperationCore#abandon}.
   *
   * @param failure why
   */
  record Refuse(Failure failure) implements Verdict {}

  /**
   * The handlers plan it.
   *
   * @param found what they are told
   */
  record Plan(Found found) implements Verdict {}

  /**
   * Another operation was begun on the subject and not ended: its event is planned first, as
   * interrupted, and {@link OperationCore#recovery} ends it; then comes a new {@link
   * OperationCore#loading}, and a new verdict. When the recovery fails, so does the operation.
   *
   * @param old the interrupted operation's event, without secrets
   * @param intent of the interrupted operation
   * @param forward whether it is completed, or else undone
   */
  record RecoverFirst(UpdateEvent old, Intent intent, boolean forward) implements Verdict {}
}
