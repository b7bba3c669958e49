package dev.evenkeel.datastore;

import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Hands a watch's events from the store's thread to the cache's. When it is full the store's thread
 * waits; abandoned, it takes everything and keeps nothing.
 */
final class SyncStream<V> implements Watch.Observer<V> {
  private static final int CAPACITY = 100;

  private final ArrayDeque<Signal<V>> waiting = new ArrayDeque<>();
  private boolean abandoned;

  /** What comes out of a watch. */
  sealed interface Signal<V> {
    record Event<V>(WatchEvent<V> event) implements Signal<V> {}

    record Failed<V>(DatastoreException failure) implements Signal<V> {}

    record Closed<V>() implements Signal<V> {}
  }

  @Override
  public void onEvent(WatchEvent<V> event) {
    put(new Signal.Event<>(event));
  }

  @Override
  public void onError(DatastoreException failure) {
    put(new Signal.Failed<>(failure));
  }

  @Override
  public void onClosed() {
    put(new Signal.Closed<>());
  }

  private synchronized void put(Signal<V> signal) {
    boolean interrupted = false;
    while (waiting.size() >= CAPACITY && !abandoned) {
      try {
        wait();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (!abandoned) {
      waiting.add(signal);
      notifyAll();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The next signal, or empty when told to stop. */
  synchronized Optional<Signal<V>> take(BooleanSupplier stopped) throws InterruptedException {
    while (waiting.isEmpty() && !stopped.getAsBoolean()) {
      wait();
    }
    if (stopped.getAsBoolean()) {
      return Optional.empty();
    }
    notifyAll();
    return Optional.of(waiting.remove());
  }

  /** Makes whoever waits look again. */
  synchronized void wake() {
    notifyAll();
  }

  synchronized void abandon() {
    abandoned = true;
    waiting.clear();
    notifyAll();
  }
}
