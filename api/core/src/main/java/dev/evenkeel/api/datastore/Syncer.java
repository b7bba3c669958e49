package dev.evenkeel.api.datastore;

/**
 * Paints an eventually consistent picture of a datastore: everything that exists first, then the
 * changes. Implemented by Evenkeel; any thread, any order of calls.
 */
public interface Syncer {
  /**
   * Begins; may start threads; returns at once. A second call, or one after {@link #stop()}, does
   * nothing.
   */
  void start();

  /**
   * Ends: everything still known is reported as deleted, then all threads end. Waits for that,
   * unless called from inside a callback, where it returns at once and ends behind the caller.
   * Idempotent.
   */
  void stop();
}
