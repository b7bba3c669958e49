package dev.evenkeel.txn.operation;

import dev.evenkeel.api.datastore.DatastoreException;

/** Counts effects on the outside, and lets one of them crash or fail, before or after it. */
final class Faults {
  private int count;
  private int at;
  private boolean after;
  private boolean crash;

  /** The process has died. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** The n-th effect from now, from 1. */
  void arm(int n, boolean afterIt, boolean crashes) {
    count = 0;
    at = n;
    after = afterIt;
    crash = crashes;
  }

  void disarm() {
    at = 0;
  }

  boolean hasFired() {
    return at > 0 && count >= at;
  }

  void effect(Runnable effect) {
    count++;
    if (at != count) {
      effect.run();
      return;
    }
    if (after) {
      effect.run();
    }
    if (crash) {
      throw new Crash();
    }
    throw DatastoreException.failed("", "injected", null);
  }
}
