package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;

/**
 * A callback of an engine has asked the engine for something that would have to wait for the
 * callback itself. Nothing was done.
 */
@Experimental("new")
public final class ReentrantCallException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Says what was asked for. */
  public ReentrantCallException(String what) {
    super(
        what
            + " inside a callback of the same engine would wait for itself: return first, and look"
            + " at values with values()");
  }
}
