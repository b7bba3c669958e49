package dev.evenkeel.api.datastore;

/** A running watch. Implemented by stores; any thread. */
public interface Watch extends AutoCloseable {
  /**
   * Ends it; what waits is released, and {@code onClosed} is the last call of the observer.
   * Idempotent; does not wait.
   */
  @Override
  void close();

  /** Whether the observer will not be called any more, and everything it held is released. */
  boolean hasTerminated();

  /**
   * Takes the events. Implemented by users; one call at a time.
   *
   * @param <V> type of the values
   */
  interface Observer<V> {
    /** An event, in order. */
    void onEvent(WatchEvent<V> event);

    /**
     * The watch failed, by compaction for one; {@link #onClosed} follows. Being closed is no
     * failure.
     */
    void onError(DatastoreException failure);

    /** The last call. */
    void onClosed();
  }
}
