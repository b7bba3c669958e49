package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Failure;

/** What ADMIT says (JT-2). Immutable. */
public sealed interface Admission {
  /**
   * Not now, and nothing has changed.
   *
   * @param failure why
   */
  record Refused(Failure failure) implements Admission {}

  /**
   * It holds its locks; whoever gets this ends it with {@link OperationCore#end} or {@link
   * OperationCore#abandon}, whatever happens.
   *
   * @param operation the handle
   */
  record Admitted(Operation operation) implements Admission {}
}
