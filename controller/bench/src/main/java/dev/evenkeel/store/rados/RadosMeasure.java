package dev.evenkeel.store.rados;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Turns;
import dev.evenkeel.bench.store.Stored;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Records of 200 bytes compared and set, and read, in the RADOS store, and by the same library
 * calls made directly, with a future for each answer: an operation that compares a revision and a
 * uid, takes the old fields away and sets the new ones, and a notification that nobody waits for.
 * The contestant is the number of threads that do so; nanoseconds per call.
 */
public final class RadosMeasure implements Fork.Measure {
  /** The folder with the configuration and the keyrings, as a system property. */
  public static final String FOLDER = "bench.ceph";

  private static final String TEXT = "x".repeat(200);

  /** Bare calls that have not been answered, by the number that librados hands back. */
  private static final Map<Long, CompletableFuture<Integer>> WAITING = new ConcurrentHashMap<>();

  private static final AtomicLong NUMBERS = new AtomicLong();
  private static final Librados.Completed ANSWERED =
      (completion, number) -> {
        CompletableFuture<Integer> answer = WAITING.remove(Pointer.nativeValue(number));
        if (answer != null) {
          answer.complete(Librados.rados_aio_get_return_value(completion));
        }
      };

  private interface Submission {
    int submit(Pointer completion);
  }

  private static int call(Submission submission) {
    long number = NUMBERS.incrementAndGet();
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    WAITING.put(number, answer);
    try (Memory cell = new Memory(Long.BYTES)) {
      Librados.rados_aio_create_completion2(Pointer.createConstant(number), ANSWERED, cell);
      Pointer completion = cell.getPointer(0);
      int code = submission.submit(completion);
      int result = code < 0 ? code : answer.join();
      Librados.rados_aio_release(completion);
      return result;
    }
  }

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) throws Exception {
    int threads = Integer.parseInt(contestant);
    int calls = threads == 1 ? 32 : 8;
    Path folder = Path.of(System.getProperty(FOLDER));
    RadosSettings settings =
        RadosSettings.of(folder.resolve("ceph.conf"), "evenkeel", "evenkeel")
            .withKeyring(folder.resolve("client.evenkeel.keyring"))
            .inNamespace("bench-" + contestant);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    Librados.load();
    Native.setCallbackThreadInitializer(ANSWERED, Cluster.THREADS);
    try (RadosDatastore store = RadosDatastore.open(settings, new JacksonCodecs());
        Bare bare = new Bare(settings, threads)) {
      BlockingDatastore waiting = store.blocking();
      List<KeyValue<String>> pairs = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        pairs.add(waiting.apply(KeyValue.of(new Stored(i), TEXT), Call.usual()));
        bare.create(i);
      }
      return new Turns()
          .add(
              "compare and set, store",
              all(
                  pool,
                  threads,
                  calls,
                  i -> pairs.set(i, waiting.update(pairs.get(i), Call.usual()))))
          .add("compare and set, bare", all(pool, threads, calls, bare::update))
          .add(
              "read, store",
              all(
                  pool,
                  threads,
                  calls,
                  i -> waiting.get(new Stored(i), Revision.NONE, Call.usual())))
          .add("read, bare", all(pool, threads, calls, bare::read))
          .run(plan, (long) calls * threads, 3);
    } finally {
      pool.shutdownNow();
    }
  }

  private static Turns.Timed all(ExecutorService pool, int threads, int calls, IntConsumer call) {
    return Turns.of(
        () -> {
          List<Future<?>> running = new ArrayList<>();
          for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            running.add(
                pool.submit(
                    () -> {
                      for (int i = 0; i < calls; i++) {
                        call.accept(number);
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

  /** A record as the store has it: a revision, a uid and a field, in one object for all. */
  private static final class Bare implements AutoCloseable {
    private static final byte[] OBJECT = Librados.text("bare");
    private static final byte[] VALUE = TEXT.getBytes(StandardCharsets.UTF_8);

    private final Cluster cluster;
    private final Pointer io;
    private final long[] revisions;
    private final Bell bell;

    Bare(RadosSettings settings, int records) {
      cluster = Cluster.open(settings);
      revisions = new long[records];
      bell = new Bell(cluster, new Home(settings.pool(), "bare"), paths -> {});
      try (Memory cell = new Memory(Long.BYTES)) {
        check(Librados.rados_ioctx_create(cluster.handle(), Librados.text(settings.pool()), cell));
        io = cell.getPointer(0);
      }
      Librados.rados_ioctx_set_namespace(io, Librados.text(settings.namespace()));
    }

    void create(int number) {
      write(new WriteOp().create().set(fields(number)));
    }

    void update(int number) {
      byte[] before = revision(number);
      revisions[number]++;
      write(
          new WriteOp()
              .equal(number + "\t", before)
              .equal(number + "\t\t", uid(number))
              .removeRange(number + "\t ", number + "\n")
              .set(fields(number)));
      bell.ring(List.of("/stored/" + number));
    }

    void read(int number) {
      ReadOp op = new ReadOp().page(new byte[0], number + "\t", 1_024);
      int code =
          call(done -> Librados.rados_aio_read_op_operate(op.pointer(), io, done, OBJECT, 0));
      List<ReadOp.Part> parts = op.take(code);
      op.release();
      check(code);
      if (parts.get(0).entries().size() != 3) {
        throw new IllegalStateException("read " + parts.get(0).entries().size() + " fields");
      }
    }

    private TreeMap<String, byte[]> fields(int number) {
      TreeMap<String, byte[]> fields = new TreeMap<>();
      fields.put(number + "\t", revision(number));
      if (revisions[number] == 0) {
        fields.put(number + "\t\t", uid(number));
      }
      fields.put(number + "\tvalue", VALUE);
      return fields;
    }

    private byte[] revision(int number) {
      return ("revision-" + number + "-" + revisions[number]).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] uid(int number) {
      return ("uid-" + number).getBytes(StandardCharsets.UTF_8);
    }

    private void write(WriteOp op) {
      int code =
          call(
              done -> Librados.rados_aio_write_op_operate(op.pointer(), io, done, OBJECT, null, 0));
      op.release();
      check(code);
    }

    private static void check(int code) {
      if (code < 0) {
        throw new IllegalStateException("librados says " + code);
      }
    }

    @Override
    public void close() {
      Librados.rados_ioctx_destroy(io);
      cluster.close();
    }
  }
}
