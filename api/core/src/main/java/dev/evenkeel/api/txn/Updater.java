package dev.evenkeel.api.txn;

import dev.evenkeel.api.Key;

/** A descriptor's ability to change a value in place. Implemented by users. */
@FunctionalInterface
public interface Updater<V, M> {
  /** Changes it, and returns the metadata that it has now. On a worker; may block. */
  M update(Key<V> key, V before, V after, M metadata, StepContext context) throws Exception;

  /** Whether this change needs a delete and a create. Pure; loop thread. */
  default boolean recreates(Key<V> key, V before, V after, M metadata) {
    return false;
  }
}
