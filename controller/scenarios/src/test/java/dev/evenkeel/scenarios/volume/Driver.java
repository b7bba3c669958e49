package dev.evenkeel.scenarios.volume;

import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.handlers.volume.DatastoreMounter;
import dev.evenkeel.handlers.volume.VolumeHandlers;
import dev.evenkeel.handlers.volume.VolumeSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** A storage driver's process: the stock handlers on the real loop. */
final class Driver implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  static final String NODE = "node-1";

  final ControllerLoop loop;

  Driver(VolumeBackend backend, Datastore store) {
    this(backend, store, VolumeSettings.of("demo"));
  }

  Driver(VolumeBackend backend, Datastore store, VolumeSettings settings) {
    List<EventHandler> handlers = new ArrayList<>(VolumeHandlers.stock(backend, settings));
    if (backend.mounting().isPresent()) {
      handlers.addAll(VolumeHandlers.node(backend, settings, new DatastoreMounter(NODE, store)));
    }
    loop =
        EventLoops.builder("volumes")
            .handlers(handlers)
            .datastore(store, JacksonEventCodec.withVolumes())
            .start();
    await(loop.pushEvent(DatastoreResync.of(InputState.empty()))).throwIfFailed();
  }

  <R> Outcome<R> run(Request<R> request) {
    return await(loop.pushEvent(request));
  }

  static <R> Outcome<R> await(Submission<R> submission) {
    try {
      return submission.await(LIMIT);
    } catch (TimeoutException late) {
      throw new AssertionError("no outcome within " + LIMIT, late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
