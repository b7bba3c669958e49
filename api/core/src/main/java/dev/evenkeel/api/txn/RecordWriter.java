package dev.evenkeel.api.txn;

import dev.evenkeel.api.Key;

/**
 * Collects the stored records of one phase of an operation; they are written in one guarded batch
 * where the store can. Implemented by Evenkeel; valid during the call only.
 */
public interface RecordWriter {
  /**
   * A record that must be absent, or equal to this value already; else the operation fails as busy
   * and nothing is written.
   */
  <V> void create(Key<V> key, V value);

  /** A record that is created or overwritten. */
  <V> void put(Key<V> key, V value);

  /** A record that is removed; absent is fine. */
  void erase(Key<?> key);

  /**
   * Gives the records of one phase. Implemented by handlers; runs on a worker, quick, with no
   * effect but on the writer.
   */
  @FunctionalInterface
  interface Source {
    /**
     * Writes them.
     *
     * @param results what the steps returned, as far as they have run
     */
    void write(Results results, RecordWriter writer) throws Exception;
  }
}
