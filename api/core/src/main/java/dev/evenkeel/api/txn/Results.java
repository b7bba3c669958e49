package dev.evenkeel.api.txn;

/** What the steps of a transaction have returned so far. Implemented by Evenkeel. */
public interface Results {
  /**
   * What a step returned.
   *
   * @throws IllegalStateException when that step has not run, or belongs to another transaction
   */
  <T> T get(Ref<T> ref);
}
