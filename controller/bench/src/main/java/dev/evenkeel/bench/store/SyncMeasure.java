package dev.evenkeel.bench.store;

import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Turns;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.controller.source.DatastoreSource;
import dev.evenkeel.store.local.LocalDatastore;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All keys of a local store on their way through syncer and source into a loop whose handler looks
 * at each, and a list of the same store that looks at each. The contestant is the number of keys;
 * nanoseconds per key.
 */
public final class SyncMeasure implements Fork.Measure {
  static final String LOOP = "into the loop";
  static final String LIST = "listed";
  static final String BYTES = "bytes";

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) throws Exception {
    int keys = Integer.parseInt(contestant);
    Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "bench-store");
    try (LocalDatastore store = LocalDatastore.open(folder.resolve("store"), new JacksonCodecs())) {
      String text = "x".repeat(100);
      for (int i = 0; i < keys; i++) {
        var unused = store.apply(KeyValue.of(new Stored(i), text), Call.usual());
        if (i % 1000 == 999) {
          store.blocking().apply(KeyValue.of(new Stored(i), text), Call.usual());
        }
      }
      Map<String, Double> figures =
          new TreeMap<>(
              new Turns()
                  .add(LOOP, () -> sync(store, keys, false))
                  .add(LIST, Turns.of(() -> list(store, keys)))
                  .run(plan, keys, 3));
      figures.put(BYTES, (double) sync(store, keys, true) / keys);
      return figures;
    } finally {
      Folders.delete(folder);
    }
  }

  private static long used() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Nanoseconds until the handler has seen all, or the bytes that are kept then. */
  private static long sync(LocalDatastore store, int keys, boolean weigh) {
    long before = weigh ? used() : 0;
    CountDownLatch done = new CountDownLatch(1);
    AtomicLong length = new AtomicLong();
    EventHandler looks =
        Handlers.named("looks")
            .resync(
                (event, turn) -> {
                  turn.input()
                      .all(Stored.TYPE)
                      .forEach(pair -> length.addAndGet(pair.value().length()));
                  done.countDown();
                })
            .build();
    try (ControllerLoop loop = EventLoops.builder("bench").handlers(looks).start();
        DatastoreSource source =
            DatastoreSource.builder("bench", store).input(Stored.TYPE).build()) {
      long from = System.nanoTime();
      source.start(loop);
      done.await();
      long took = System.nanoTime() - from;
      check(length.get(), keys);
      return weigh ? used() - before : took;
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private static void list(LocalDatastore store, int keys) {
    long[] length = {0};
    store
        .blocking()
        .list(ListOptions.all(Stored.TYPE), Call.usual())
        .items()
        .forEach(pair -> length[0] += pair.value().orElseThrow().length());
    check(length[0], keys);
  }

  private static void check(long length, int keys) {
    if (length != 100L * keys) {
      throw new IllegalStateException(length + " of " + 100L * keys);
    }
  }
}
