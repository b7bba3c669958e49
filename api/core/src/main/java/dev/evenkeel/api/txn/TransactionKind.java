package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;

/** Why a transaction was run. */
@Experimental("new")
public enum TransactionKind {
  /** Handlers, or the caller of an engine used on its own, wanted something. */
  REQUEST("transaction"),
  /** The outside told of values of its own. */
  NOTIFICATION("notification"),
  /** What had failed was tried again. */
  RETRY("retry"),
  /** A descriptor came late, and with it what had waited for it. */
  RETRY_UNIMPLEMENTED("retry of the unimplemented"),
  /** The engine had something to take up again: a call that had hung, or keys that had thawed. */
  UPKEEP("upkeep");

  private final String text;

  TransactionKind(String text) {
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
