package dev.evenkeel.tck.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** An observer that keeps what it is told, and checks that the calls keep their own rules. */
final class Recorder<V> implements Watch.Observer<V> {
  private final List<WatchEvent<V>> events = new ArrayList<>();
  private final Duration patience;
  private Optional<DatastoreException> error = Optional.empty();
  private boolean closed;
  private boolean inside;
  private Optional<String> broken = Optional.empty();

  Recorder(Duration patience) {
    this.patience = patience;
  }

  @Override
  public void onEvent(WatchEvent<V> event) {
    enter();
    synchronized (this) {
      if (closed || error.isPresent()) {
        broken = Optional.of("an event after the end: " + event);
      }
      if (!(event instanceof WatchEvent.Progress<V>)) {
        events.add(event);
      }
      inside = false;
      notifyAll();
    }
  }

  @Override
  public void onError(DatastoreException failure) {
    enter();
    synchronized (this) {
      error = Optional.of(failure);
      inside = false;
      notifyAll();
    }
  }

  @Override
  public void onClosed() {
    enter();
    synchronized (this) {
      if (closed) {
        broken = Optional.of("closed twice");
      }
      closed = true;
      inside = false;
      notifyAll();
    }
  }

  /** Waits for that many events and gives them; progress does not count. */
  synchronized List<WatchEvent<V>> take(int count) {
    await(() -> events.size() >= count, () -> count + " events; there are " + events);
    List<WatchEvent<V>> taken = new ArrayList<>(events.subList(0, count));
    events.subList(0, count).clear();
    return taken;
  }

  synchronized void awaitClosed() {
    await(() -> closed, () -> "the end of the watch");
  }

  synchronized DatastoreException awaitError() {
    await(() -> closed && error.isPresent(), () -> "an error and the end of the watch");
    return error.orElseThrow();
  }

  /** After the end: nothing more has come, and no error. */
  synchronized void checkQuiet() {
    assertEquals(List.of(), events);
    assertEquals(Optional.empty(), error);
    check();
  }

  synchronized void check() {
    broken.ifPresent(what -> fail("an observer's rule was broken: " + what));
  }

  private synchronized void enter() {
    if (inside) {
      broken = Optional.of("two calls at once");
    }
    inside = true;
  }

  private void await(BooleanSupplier wanted, java.util.function.Supplier<String> what) {
    long end = System.nanoTime() + patience.toNanos();
    try {
      while (!wanted.getAsBoolean()) {
        long left = end - System.nanoTime();
        assertTrue(left > 0, () -> "not within " + patience + ": " + what.get());
        wait(Math.max(1, left / 1_000_000));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      assertFalse(true, "interrupted");
    }
  }
}
