package dev.evenkeel.app.run;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.controller.metrics.LoopMetrics;
import dev.evenkeel.controller.recording.Recorder;
import dev.evenkeel.handlers.volume.VolumeHandlers;
import dev.evenkeel.handlers.volume.VolumeSettings;
import dev.evenkeel.hostpath.HostpathBackend;
import dev.evenkeel.store.local.LocalDatastore;
import dev.evenkeel.txn.engine.EngineSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Everything that one run has open on one state directory: store, backend, loop with the stock
 * handlers, in the order in which they are closed again, backwards. Any thread may close it.
 */
final class Session implements AutoCloseable {
  static final String CLUSTER = "local";
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final RecordFeed feed = new RecordFeed();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Datastore store;
  private final VolumeBackend backend;
  private final FaultHandler faults;
  private final ControllerLoop loop;
  private final SessionSetup setup;

  private Session(StateDir dir, SessionSetup setup, Optional<Recorder> recorder) {
    this.setup = setup;
    boolean whole = false;
    try {
      recorder.ifPresent(open::push); // Closed last: it sees how the loop ends.
      store = opened(LocalDatastore.open(dir.store(), new JacksonCodecs()));
      backend = opened(HostpathBackend.open(dir.volumes()));
      List<EventHandler> handlers =
          new ArrayList<>(VolumeHandlers.stock(backend, VolumeSettings.of(CLUSTER)));
      handlers.addAll(setup.handlers());
      faults = new FaultHandler(handlers.stream().map(EventHandler::name).toList());
      EventLoops.Builder builder =
          EventLoops.builder("evenkeel")
              .config(setup.config())
              .engine(EngineSettings.defaults().with(setup.history()))
              .handlers(handlers)
              .handlers(faults)
              .descriptors(setup.descriptors())
              .datastore(store, JacksonEventCodec.withVolumes())
              .listener(feed);
      recorder.ifPresent(builder::observer);
      setup.listeners().forEach(builder::listener);
      setup.sources().forEach(builder::externalSource);
      setup.registry().ifPresent(registry -> builder.metrics(LoopMetrics.in(registry)));
      loop = builder.start();
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
    return open(dir, SessionSetup.usual().withHandlers(more));
  }

  /** Opens all that is needed, with more than the usual. */
  static Session open(StateDir dir, SessionSetup setup) {
    return open(dir, setup, Optional.empty());
  }

  /** The same, with a recording of all that it does; closed with it. */
  static Session open(StateDir dir, SessionSetup setup, Optional<Recorder> recorder) {
    try {
      return new Session(dir, setup, recorder);
    } catch (EvenkeelException e) {
      throw new CannotGoOnException(
          "The state directory " + dir.root() + " cannot be used: " + e.getMessage() + ".", e);
    }
  }

  private <C extends AutoCloseable> C opened(C part) {
    open.push(part);
    return part;
  }

  ControllerLoop loop() {
    return loop;
  }

  SessionSetup setup() {
    return setup;
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
