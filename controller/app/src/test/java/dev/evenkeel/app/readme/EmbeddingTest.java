package dev.evenkeel.app.readme;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.config.LoopConfigs;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.controller.metrics.LoopMetrics;
import dev.evenkeel.handlers.volume.VolumeHandlers;
import dev.evenkeel.handlers.volume.VolumeSettings;
import dev.evenkeel.hostpath.HostpathBackend;
import dev.evenkeel.store.local.LocalDatastore;
import dev.evenkeel.txn.engine.EngineSettings;
import dev.evenkeel.txn.history.HistoryOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/embedding.md shows. */
class EmbeddingTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  // [a controller]
  /** A controller of volumes inside a program: made once, closed with it. */
  record Controller(LocalDatastore store, HostpathBackend backend, ControllerLoop loop)
      implements AutoCloseable {

    static Controller start(Path state, Path shelf, MeterRegistry registry) {
      LocalDatastore store = LocalDatastore.open(state.resolve("store"), new JacksonCodecs());
      HostpathBackend backend = HostpathBackend.open(state.resolve("volumes"));
      ControllerLoop loop =
          EventLoops.builder("volumes")
              .config(LoopConfigs.of("settings", Map.of("capacity", 500, "workers", 4)))
              .engine(EngineSettings.defaults().with(HistoryOptions.standard()))
              .datastore(store, JacksonEventCodec.withVolumes())
              .handlers(VolumeHandlers.stock(backend, VolumeSettings.of("shop")))
              .handlers(new ShelfHandler(shelf))
              .metrics(LoopMetrics.in(registry))
              .start();
      return new Controller(store, backend, loop);
    }

    @Override
    public void close() {
      loop.close(); // first: what runs still needs the others
      backend.close();
      store.close();
    }
  }

  // [end]

  @Test
  @DisplayName("the controller of docs/embedding.md runs, is asked, and closes")
  void embedded() throws Exception {
    Path shelf = Files.createDirectory(folder.resolve("shelf"));
    Path state = Files.createDirectory(folder.resolve("state"));
    MeterRegistry registry = new SimpleMeterRegistry();
    try (Controller controller = Controller.start(state, shelf, registry)) {
      // [what it is asked]
      ControllerLoop loop = controller.loop();
      loop.pushEvent(DatastoreResync.of(InputState.empty())).await(LIMIT).throwIfFailed();
      Volume volume = loop.pushEvent(CreateVolume.of("data-1", 1 << 20)).await(LIMIT).orThrow();

      boolean ready = loop.status().ready(); // for a readiness probe
      boolean alive = loop.status().alive(Duration.ofMinutes(5)); // for a liveness probe
      EventRecord last = loop.history().last(1).get(0); // handlers, steps, failures
      // [end]
      assertEquals("data-1", volume.name());
      assertTrue(ready && alive);
      assertEquals(CreateVolume.TYPE.name(), last.type());
      assertTrue(Files.exists(shelf.resolve("data-1")));
      assertTrue(registry.find("evenkeel.loop.ready").gauges().size() == 1);
    }
    // The loop's thread takes them away, which may be after the close has returned.
    await("the meters go with the loop").atMost(LIMIT).until(() -> registry.getMeters().isEmpty());
  }
}
