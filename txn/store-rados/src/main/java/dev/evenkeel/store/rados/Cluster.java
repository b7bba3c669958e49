package dev.evenkeel.store.rados;

import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.DatastoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a cluster. Operations are handed to librados and complete on a thread of this
 * connection; only reads of single records complete on the library's, which must not be held up.
 * Any thread; only opening and closing wait, and what says that it does.
 */
final class Cluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
  private static final String LIBRARY_THREAD = "evenkeel-librados";
  private static final int MOST_OPERATIONS = 4_096;
  private static final long MOST_BYTES = 256L << 20;
  private static final int MOST_WORKERS = 1_100;
  private static final Map<Long, Pending> PENDING = new ConcurrentHashMap<>();
  private static final AtomicLong IDS = new AtomicLong();

  // librados may call as long as it lives, so these stay reachable for ever.
  private static final Librados.Completed COMPLETED =
      (completion, argument) -> {
        Pending pending = PENDING.get(Pointer.nativeValue(argument));
        if (pending != null) {
          pending.cluster.completed(pending);
        }
      };
  static final CallbackThreadInitializer THREADS =
      new CallbackThreadInitializer(true, false, LIBRARY_THREAD);

  private final Pointer handle;
  private final Map<String, Pointer> pools = new TreeMap<>();
  private final long instance;
  private final AtomicLong tokens = new AtomicLong();
  private final Users users = new Users();
  private final AtomicLong operations = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final ThreadPoolExecutor completions;
  private final ThreadPoolExecutor workers;
  private final ScheduledThreadPoolExecutor timer;

  /** An operation under way. */
  private static final class Pending {
    final long id = IDS.incrementAndGet();
    final Cluster cluster;
    final Pointer io;
    final long size;
    final Optional<ReadOp> read;
    final CompletableFuture<Reply> reply = new CompletableFuture<>();
    Optional<Pointer> completion = Optional.empty();
    final boolean loose;

    /** Small enough to be taken on the library's thread. */
    final boolean brief;

    boolean released;

    Pending(Cluster cluster, Pointer io, long size, Optional<ReadOp> read, boolean loose) {
      this(cluster, io, size, read, loose, false);
    }

    Pending(
        Cluster cluster,
        Pointer io,
        long size,
        Optional<ReadOp> read,
        boolean loose,
        boolean brief) {
      this.brief = brief;
      this.loose = loose;
      this.cluster = cluster;
      this.io = io;
      this.size = size;
      this.read = read;
    }

    synchronized void cancel() {
      if (!released && completion.isPresent()) {
        Librados.rados_aio_cancel(io, completion.get());
      }
    }
  }

  private Cluster(Pointer handle, RadosSettings settings) {
    this.handle = handle;
    this.instance = Librados.rados_get_instance_id(handle);
    TreeSet<String> names = new TreeSet<>(settings.pools().values());
    names.add(settings.pool());
    try {
      names.forEach(pool -> pools.put(pool, ioContext(pool, settings.namespace())));
    } catch (DatastoreException refused) {
      pools.values().forEach(Librados::rados_ioctx_destroy);
      throw refused;
    }
    this.completions = pool("evenkeel-rados", 1, new LinkedBlockingQueue<>());
    this.workers = pool("evenkeel-rados-work", MOST_WORKERS, new SynchronousQueue<>());
    this.timer = new ScheduledThreadPoolExecutor(1, task -> thread("evenkeel-rados-timer", task));
    timer.setRemoveOnCancelPolicy(true);
  }

  /** Connects; waits for the monitors as long as the settings say. */
  static Cluster open(RadosSettings settings) {
    Librados.load();
    Native.setCallbackThreadInitializer(COMPLETED, THREADS);
    Pointer handle = connect(settings);
    try {
      return new Cluster(handle, settings);
    } catch (RuntimeException refused) {
      Librados.rados_shutdown(handle);
      throw refused;
    }
  }

  private static Pointer connect(RadosSettings settings) {
    Pointer handle;
    try (Memory cell = new Memory(Long.BYTES)) {
      int code =
          Librados.rados_create2(
              cell, Librados.text("ceph"), Librados.text("client." + settings.user()), 0);
      if (code < 0) {
        throw Code.failure("client." + settings.user(), code);
      }
      handle = cell.getPointer(0);
    }
    try {
      configure(handle, settings);
      int code = Librados.rados_connect(handle);
      if (code < 0) {
        throw Code.failure("the cluster's monitors", code);
      }
      return handle;
    } catch (RuntimeException refused) {
      Librados.rados_shutdown(handle);
      throw refused;
    }
  }

  private static void configure(Pointer handle, RadosSettings settings) {
    settings
        .conf()
        .ifPresent(
            file -> {
              int code = Librados.rados_conf_read_file(handle, Librados.text(file.toString()));
              if (code < 0) {
                throw new DatastoreException(
                    ErrorKind.INVALID,
                    file.toString(),
                    file + " cannot be read as a ceph.conf (" + code + ")",
                    null);
              }
            });
    Map<String, String> options = new TreeMap<>();
    options.put("log_to_stderr", "false");
    options.put("err_to_stderr", "false");
    options.put("client_mount_timeout", seconds(settings.connectLimit()));
    options.put("rados_mon_op_timeout", seconds(settings.connectLimit()));
    options.put("rados_osd_op_timeout", seconds(settings.callLimit()));
    // Or else the client may miss for a minute that an OSD has come back.
    options.put("objecter_tick_interval", "1");
    options.put("objecter_timeout", "1");
    // The limits here refuse; those of the library would hold the caller up.
    options.put("objecter_inflight_ops", Integer.toString(4 * MOST_OPERATIONS));
    options.put("objecter_inflight_op_bytes", Long.toString(4 * MOST_BYTES));
    settings.keyring().ifPresent(file -> options.put("keyring", file.toString()));
    options.putAll(settings.options());
    options.forEach(
        (name, value) -> {
          int code = Librados.rados_conf_set(handle, Librados.text(name), Librados.text(value));
          if (code < 0) {
            throw new DatastoreException(
                ErrorKind.INVALID, name, "option " + name + " of librados is refused", null);
          }
        });
  }

  private static String seconds(Duration time) {
    return Long.toString(Math.max(1, (time.toMillis() + 999) / 1_000));
  }

  private Pointer ioContext(String pool, String namespace) {
    try (Memory cell = new Memory(Long.BYTES)) {
      int code = Librados.rados_ioctx_create(handle, Librados.text(pool), cell);
      if (code == Code.ABSENT) {
        throw new DatastoreException(
            ErrorKind.FAILED_PRECONDITION, pool, "there is no pool " + pool, null);
      }
      if (code < 0) {
        throw Code.failure("pool " + pool, code);
      }
      Pointer io = cell.getPointer(0);
      Librados.rados_ioctx_set_namespace(io, Librados.text(namespace));
      return io;
    }
  }

  private static ThreadPoolExecutor pool(String name, int most, BlockingQueue<Runnable> queue) {
    int core = most == 1 ? 1 : 0;
    ThreadPoolExecutor made =
        new ThreadPoolExecutor(core, most, 1, TimeUnit.SECONDS, queue, task -> thread(name, task));
    return made;
  }

  private static Thread thread(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** A text that no other client and no other call has: clients have numbers that never return. */
  String token() {
    return Long.toHexString(instance) + "-" + Long.toHexString(tokens.incrementAndGet());
  }

  long instance() {
    return instance;
  }

  Collection<String> pools() {
    return pools.keySet();
  }

  long poolId(String pool) {
    return use(() -> Librados.rados_ioctx_get_id(io(pool)));
  }

  ScheduledThreadPoolExecutor timer() {
    return timer;
  }

  ThreadPoolExecutor workers() {
    return workers;
  }

  boolean isClosed() {
    return users.isClosed();
  }

  Pointer io(String pool) {
    Pointer io = pools.get(pool);
    if (io == null) {
      throw new IllegalArgumentException("no pool " + pool);
    }
    return io;
  }

  /** Does it; the reply's code says how it went. */
  CompletableFuture<Reply> write(Home home, WriteOp op) {
    byte[] object = Librados.text(home.object());
    try {
      return submit(
          home.pool(),
          op.size(),
          Optional.empty(),
          (io, done) ->
              Librados.rados_aio_write_op_operate(op.pointer(), io, done, object, null, 0));
    } finally {
      op.release();
    }
  }

  /** Does it; the reply's code says how it went. */
  CompletableFuture<Reply> read(Home home, ReadOp op) {
    return read(home, op, false);
  }

  /** The same, of one record: it completes on the library's thread, which spares another one. */
  CompletableFuture<Reply> readBriefly(Home home, ReadOp op) {
    return read(home, op, true);
  }

  private CompletableFuture<Reply> read(Home home, ReadOp op, boolean brief) {
    byte[] object = Librados.text(home.object());
    try {
      return submit(
          home.pool(),
          0,
          Optional.of(op),
          brief,
          (io, done) -> Librados.rados_aio_read_op_operate(op.pointer(), io, done, object, 0));
    } finally {
      op.release();
    }
  }

  /**
   * Tells those who watch an object; completes when they have answered, after a while, or never.
   */
  CompletableFuture<Reply> tell(Home home, byte[] what) {
    byte[] object = Librados.text(home.object());
    if (!users.enter()) {
      return CompletableFuture.failedFuture(closed());
    }
    try {
      return start(
          new Pending(this, io(home.pool()), 0, Optional.empty(), true),
          (io, done) ->
              Librados.rados_aio_notify(io, object, done, what, what.length, 2_000, null, null));
    } finally {
      users.leave();
    }
  }

  /**
   * Begins to hear of an object; completes with what ends it, or fails. Not waited for at the end.
   */
  CompletableFuture<Long> listen(
      Home home, Librados.Notified notified, Librados.Lost lost, long id) {
    byte[] object = Librados.text(home.object());
    Memory cookie = new Memory(Long.BYTES);
    Pointer argument = Pointer.createConstant(id);
    if (!users.enter()) {
      return CompletableFuture.failedFuture(closed());
    }
    try {
      Pending pending = new Pending(this, io(home.pool()), 0, Optional.empty(), true);
      return start(
              pending,
              (io, done) ->
                  Librados.rados_aio_watch2(io, object, done, cookie, notified, lost, 30, argument))
          .thenApply(
              reply -> {
                if (reply.code() < 0) {
                  throw Code.failure(home.object(), reply.code());
                }
                return cookie.getLong(0);
              });
    } finally {
      users.leave();
    }
  }

  /** Ends it. */
  CompletableFuture<Reply> silence(Home home, long cookie) {
    return submit(
        home.pool(),
        0,
        Optional.empty(),
        (io, done) -> Librados.rados_aio_unwatch(io, cookie, done));
  }

  /** Answers one who rings. For the library's threads. */
  void acknowledge(Home home, long notifyId, long cookie) {
    if (users.enter()) {
      try {
        int unused =
            Librados.rados_notify_ack(
                io(home.pool()), Librados.text(home.object()), notifyId, cookie, null, 0);
      } finally {
        users.leave();
      }
    }
  }

  /** Runs something on the thread of completions. */
  void completion(Runnable task) {
    try {
      completions.execute(task);
    } catch (RejectedExecutionException over) {
      LOG.debug("something was left undone at the close of the store", over);
    }
  }

  /** Work that waits, on a thread of its own; refused after the close. */
  <T> CompletableFuture<T> onWorker(Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      workers.execute(
          () -> {
            try {
              result.complete(use(work));
            } catch (RuntimeException failed) {
              result.completeExceptionally(failed);
            }
          });
    } catch (RejectedExecutionException full) {
      result.completeExceptionally(isClosed() ? closed() : tooMany());
    }
    return result;
  }

  /** Work with the library; the connection is not closed before its end. */
  <T> T use(Supplier<T> work) {
    if (!users.enter()) {
      throw closed();
    }
    try {
      return work.get();
    } finally {
      users.leave();
    }
  }

  /** Completes on the thread of completions. */
  void resume(CompletableFuture<Void> waiting) {
    try {
      completions.execute(() -> waiting.complete(null));
    } catch (RejectedExecutionException over) {
      waiting.completeExceptionally(closed());
    }
  }

  /** Waits until the client knows the cluster as it is now. */
  int refresh() {
    return use(() -> Librados.rados_wait_for_latest_osdmap(handle));
  }

  /** Hands an operation and its completion to the library. */
  private interface Submission {
    int submit(Pointer io, Pointer completion);
  }

  private CompletableFuture<Reply> submit(
      String pool, long size, Optional<ReadOp> read, Submission body) {
    return submit(pool, size, read, false, body);
  }

  private CompletableFuture<Reply> submit(
      String pool, long size, Optional<ReadOp> read, boolean brief, Submission body) {
    if (!users.enter()) {
      read.ifPresent(op -> op.take(-1));
      return CompletableFuture.failedFuture(closed());
    }
    try {
      if (operations.incrementAndGet() > MOST_OPERATIONS || bytes.addAndGet(size) > MOST_BYTES) {
        operations.decrementAndGet();
        bytes.addAndGet(-size);
        read.ifPresent(op -> op.take(-1));
        return CompletableFuture.failedFuture(tooMany());
      }
      return start(new Pending(this, io(pool), size, read, false, brief), body);
    } finally {
      users.leave();
    }
  }

  private CompletableFuture<Reply> start(Pending pending, Submission body) {
    PENDING.put(pending.id, pending);
    try (Memory cell = new Memory(Long.BYTES)) {
      synchronized (pending) {
        Librados.rados_aio_create_completion2(Pointer.createConstant(pending.id), COMPLETED, cell);
        pending.completion = Optional.of(cell.getPointer(0));
      }
      int code = body.submit(pending.io, cell.getPointer(0));
      if (code < 0) {
        // Nothing was begun, so nothing will call back.
        finish(pending, code);
      }
    }
    return pending.reply;
  }

  /** Whether this is a thread of the library's, on which nothing may wait for the library. */
  static boolean isLibrarys(Thread thread) {
    return thread.getName().startsWith(LIBRARY_THREAD);
  }

  private void completed(Pending pending) {
    if (pending.brief) {
      finish(pending, 0);
      return;
    }
    try {
      completions.execute(() -> finish(pending, 0));
    } catch (RejectedExecutionException over) {
      LOG.debug("an operation has ended after its store was closed", over);
    }
  }

  private void finish(Pending pending, int refused) {
    int code = refused;
    long version = 0;
    synchronized (pending) {
      if (pending.released) {
        return;
      }
      Pointer completion = pending.completion.orElseThrow();
      if (refused == 0) {
        code = Librados.rados_aio_get_return_value(completion);
        version = Librados.rados_aio_get_version(completion);
      }
      Librados.rados_aio_release(completion);
      pending.released = true;
    }
    PENDING.remove(pending.id);
    int result = code;
    List<ReadOp.Part> parts = pending.read.map(op -> op.take(result)).orElse(List.of());
    if (!pending.loose) {
      operations.decrementAndGet();
      bytes.addAndGet(-pending.size);
    }
    try {
      pending.reply.complete(new Reply(Math.min(0, code), version, parts));
    } finally {
      synchronized (operations) {
        operations.notifyAll();
      }
    }
  }

  static EvenkeelException closed() {
    return new EvenkeelException(ErrorKind.UNAVAILABLE, "the RADOS store is closed");
  }

  private static EvenkeelException tooMany() {
    return new EvenkeelException(
        ErrorKind.RESOURCE_EXHAUSTED, "too many operations of the RADOS store are under way");
  }

  /** Refuses what comes from now on, and ends what is under way. Idempotent. */
  @Override
  public void close() {
    if (!users.close()) {
      return;
    }
    timer.shutdownNow();
    PENDING.values().stream().filter(p -> p.cluster.equals(this)).forEach(Pending::cancel);
    boolean idle = awaitOperations();
    awaitLoose();
    idle &= flush();
    workers.shutdown();
    idle &= users.awaitNone(TimeUnit.SECONDS.toNanos(40));
    completions.shutdown();
    if (!idle) {
      // To free what the library still uses would crash the process.
      LOG.warn("operations of the RADOS store do not end; the connection is left to them");
      return;
    }
    pools.values().forEach(Librados::rados_ioctx_destroy);
    Librados.rados_shutdown(handle);
    PENDING.values().removeIf(pending -> pending.cluster.equals(this));
    join();
  }

  Pointer handle() {
    return handle;
  }

  /** Those that may never end: a cluster that is there ends them within the time of a ring. */
  private void awaitLoose() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
    synchronized (operations) {
      while (PENDING.values().stream().anyMatch(pending -> pending.cluster.equals(this))) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return;
        }
        try {
          operations.wait(Math.min(left, 50));
        } catch (InterruptedException hurry) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  /**
   * The library still works on watches and notifications after it has said that they have ended,
   * and crashes when the connection is gone by then. It does its work in order, so after one more
   * operation, whatever becomes of it, the work before is done.
   */
  private boolean flush() {
    Pending last = new Pending(this, pools.values().iterator().next(), 0, Optional.empty(), true);
    ReadOp op = new ReadOp();
    try {
      byte[] object = Librados.text("evenkeel.nothing");
      CompletableFuture<Reply> reply =
          start(
              last,
              (io, done) -> Librados.rados_aio_read_op_operate(op.pointer(), io, done, object, 0));
      return isDone(reply, 2) || isCancelled(last, reply);
    } finally {
      op.release();
    }
  }

  private static boolean isCancelled(Pending last, CompletableFuture<Reply> reply) {
    last.cancel();
    return isDone(reply, 5);
  }

  private static boolean isDone(CompletableFuture<Reply> reply, int seconds) {
    try {
      return reply.get(seconds, TimeUnit.SECONDS) != null;
    } catch (TimeoutException | ExecutionException late) {
      LOG.debug("an operation does not end", late);
      return false;
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
      return reply.isDone();
    }
  }

  private boolean awaitOperations() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    synchronized (operations) {
      while (operations.get() > 0) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        try {
          operations.wait(Math.min(left, 100));
        } catch (InterruptedException hurry) {
          Thread.currentThread().interrupt();
          return operations.get() == 0;
        }
      }
    }
    return true;
  }

  private void join() {
    try {
      boolean over = completions.awaitTermination(2, TimeUnit.SECONDS);
      over &= workers.awaitTermination(2, TimeUnit.SECONDS);
      over &= timer.awaitTermination(2, TimeUnit.SECONDS);
      if (!over) {
        var unused = workers.shutdownNow();
      }
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }
}
