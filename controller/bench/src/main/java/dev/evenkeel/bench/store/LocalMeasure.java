package dev.evenkeel.bench.store;

import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Turns;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.store.local.LocalDatastore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * Durable writes of 200 bytes by so many threads, each of which waits for its own: the local store,
 * and bare RocksDB with synced puts. The contestant is the number of threads; nanoseconds per
 * write.
 */
public final class LocalMeasure implements Fork.Measure {
  static final String STORE = "local store";
  static final String BARE = "bare RocksDB";

  private static final int WRITES = 512;

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) throws Exception {
    int threads = Integer.parseInt(contestant);
    Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "bench-store");
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    RocksDB.loadLibrary();
    try (LocalDatastore store = LocalDatastore.open(folder.resolve("store"), new JacksonCodecs());
        Options options = new Options().setCreateIfMissing(true);
        WriteOptions synced = new WriteOptions().setSync(true);
        RocksDB bare = RocksDB.open(options, folder.resolve("bare").toString())) {
      BlockingDatastore calls = store.blocking();
      String text = "x".repeat(200);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new Turns()
          .add(
              STORE,
              all(pool, threads, i -> calls.apply(KeyValue.of(new Stored(i), text), Call.usual())))
          .add(BARE, all(pool, threads, i -> put(bare, synced, i, bytes)))
          .run(plan, WRITES, 3);
    } finally {
      pool.shutdownNow();
      Folders.delete(folder);
    }
  }

  private static void put(RocksDB bare, WriteOptions synced, int number, byte[] value) {
    try {
      bare.put(synced, new Stored(number).path().getBytes(StandardCharsets.UTF_8), value);
    } catch (RocksDBException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static Turns.Timed all(ExecutorService pool, int threads, IntConsumer write) {
    return Turns.of(
        () -> {
          AtomicInteger next = new AtomicInteger();
          List<Future<?>> running = new ArrayList<>();
          for (int thread = 0; thread < threads; thread++) {
            running.add(
                pool.submit(
                    () -> {
                      int number = next.getAndIncrement();
                      while (number < WRITES) {
                        write.accept(number);
                        number = next.getAndIncrement();
                      }
                    }));
          }
          for (Future<?> one : running) {
            try {
              one.get();
            } catch (Exception failed) {
              throw new IllegalStateException(failed);
            }
          }
        });
  }
}
