package dev.evenkeel.app.run;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.csi.CsiOptions;
import dev.evenkeel.csi.CsiParts;
import dev.evenkeel.csi.CsiServer;
import dev.evenkeel.csi.Endpoint;
import dev.evenkeel.handlers.volume.DatastoreMounter;
import dev.evenkeel.handlers.volume.VolumeHandlers;
import dev.evenkeel.handlers.volume.VolumeSettings;
import dev.evenkeel.hostpath.HostpathBackend;
import dev.evenkeel.store.local.LocalDatastore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;

/**
 * What a CSI driver has open: the store of its side, the backend that both sides share, a loop with
 * the handlers of its side, and the server, which is closed first, so that calls under way get
 * their answers. Any thread may close it.
 */
final class CsiSession implements AutoCloseable {
  private static final String CLUSTER = "local";
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final CsiParts parts;
  private final ControllerLoop loop;

  private CsiSession(StateDir dir, CsiOptions options) {
    boolean whole = false;
    try {
      Datastore store =
          opened(
              LocalDatastore.open(
                  options.controller() ? dir.store() : dir.nodeStore(), new JacksonCodecs()));
      VolumeBackend backend = opened(HostpathBackend.open(dir.volumes()));
      VolumeSettings settings = VolumeSettings.of(CLUSTER);
      loop =
          EventLoops.builder("csi")
              .handlers(handlers(options, backend, settings, store))
              .datastore(store, JacksonEventCodec.withVolumes())
              .start();
      open.push(() -> loop.close(CLOSE_LIMIT));
      parts = new CsiParts(loop, store, backend, settings);
      whole = true;
    } finally {
      if (!whole) {
        close();
      }
    }
  }

  private static List<EventHandler> handlers(
      CsiOptions options, VolumeBackend backend, VolumeSettings settings, Datastore store) {
    List<EventHandler> handlers = new ArrayList<>();
    if (options.controller()) {
      handlers.addAll(VolumeHandlers.stock(backend, settings));
    }
    if (options.node() && backend.mounting().isPresent()) {
      handlers.addAll(
          VolumeHandlers.node(backend, settings, new DatastoreMounter(options.nodeId(), store)));
    }
    return handlers;
  }

  /** Opens all but the server. */
  static CsiSession open(StateDir dir, CsiOptions options) {
    try {
      return new CsiSession(dir, options);
    } catch (EvenkeelException e) {
      throw new CannotGoOnException(
          "The state directory " + dir.root() + " cannot be used: " + e.getMessage() + ".", e);
    }
  }

  /** Opens the loop's gate, then serves; tells where. */
  String serve(Endpoint endpoint, CsiOptions options, Duration limit) throws InterruptedException {
    Outcome<Void> taken;
    try {
      taken = loop.pushEvent(DatastoreResync.of(InputState.empty())).await(limit);
    } catch (TimeoutException slow) {
      throw new CannotGoOnException("What is stored is not taken up within " + limit + ".", slow);
    }
    if (!taken.isSuccess()) {
      throw new CannotGoOnException("What is stored cannot be taken up: " + taken.failures(), null);
    }
    CsiServer server = opened(CsiServer.start(parts, options, endpoint));
    return server.port().isPresent()
        ? "tcp://127.0.0.1:" + server.port().getAsInt()
        : "unix://" + endpoint.socket().orElseThrow();
  }

  private synchronized <C extends AutoCloseable> C opened(C part) {
    open.push(part);
    return part;
  }

  /** Returns when it has been closed by another thread. */
  void awaitClosed() throws InterruptedException {
    closed.await();
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
    closed.countDown();
    if (first != null) {
      throw first;
    }
  }
}
