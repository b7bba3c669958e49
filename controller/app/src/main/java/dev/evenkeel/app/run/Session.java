package dev.evenkeel.app.run;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.handlers.volume.VolumeHandlers;
import dev.evenkeel.handlers.volume.VolumeSettings;
import dev.evenkeel.hostpath.HostpathBackend;
import dev.evenkeel.store.local.LocalDatastore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Everything that one run has open on one state directory: store, backend, loop with the stock
 * handlers, in the order in which they are closed again, backwards. Any thread may close it.
 */
final class Session implements AutoCloseable {
  private static final String CLUSTER = "local";
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final RecordFeed feed = new RecordFeed();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Datastore store;
  private final VolumeBackend backend;
  private final FaultHandler faults;
  private final EventLoop loop;

  private Session(StateDir dir, List<EventHandler> more) {
    boolean whole = false;
    try {
      store = opened(LocalDatastore.open(dir.store(), new JacksonCodecs()));
      backend = opened(HostpathBackend.open(dir.volumes()));
      List<EventHandler> handlers =
          new ArrayList<>(VolumeHandlers.stock(backend, VolumeSettings.of(CLUSTER)));
      handlers.addAll(more);
      faults = new FaultHandler(handlers.stream().map(EventHandler::name).toList());
      loop =
          EventLoops.builder("evenkeel")
              .handlers(handlers)
              .handlers(faults)
              .datastore(store, JacksonEventCodec.withVolumes())
              .listener(feed)
              .start();
      open.push(() -> loop.close(CLOSE_LIMIT));
      whole = true;
    } finally {
      if (!whole) {
        close();
      }
    }
  }

  /**
   * Opens all that is needed.
   *
   * @param more handlers, behind the stock ones
   */
  static Session open(StateDir dir, List<EventHandler> more) {
    try {
      return new Session(dir, more);
    } catch (EvenkeelException e) {
      throw new CannotGoOnException(
          "The state directory " + dir.root() + " cannot be used: " + e.getMessage() + ".", e);
    }
  }

  private <C extends AutoCloseable> C opened(C part) {
    open.push(part);
    return part;
  }

  EventLoop loop() {
    return loop;
  }

  Datastore store() {
    return store;
  }

  VolumeBackend backend() {
    return backend;
  }

  RecordFeed feed() {
    return feed;
  }

  FaultHandler faults() {
    return faults;
  }

  /** Closes what is open, all of it, the last opened first. Idempotent. */
  @Override
  public synchronized void close() {
    RuntimeException first = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        RuntimeException failed =
            e instanceof RuntimeException r ? r : new IllegalStateException(e);
        if (first == null) {
          first = failed;
        } else {
          first.addSuppressed(failed);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
