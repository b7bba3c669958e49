package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.txn.Action;

/** Makes a call; tests put theirs in between. */
interface Caller {
  Object call(Action action, StepContext context) throws Exception;
}
