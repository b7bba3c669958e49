package dev.evenkeel.datastore;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.KeyValueList;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Syncer;
import dev.evenkeel.api.datastore.SyncerCallbacks;
import dev.evenkeel.api.datastore.SyncerOptions;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.Write;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A datastore in memory: for tests, simulations, and programs that keep nothing. Made and closed by
 * its user; any thread; a call does its work at once, on the caller's thread, and its stage is
 * complete when the call returns. Values are kept as they are, so they must be immutable.
 *
 * <p>It can do everything but survive its process; each ability can be taken away, and the clock
 * and the timer behind {@link Capability#TTL} can be replaced. A revision is a counter. Old states
 * and watches reach back as far as the history is kept (10,000 changes unless said otherwise).
 */
public final class MemoryDatastore implements Datastore {
  private static final int MOST_WRITES = 4_096;
  private static final int MOST_WATCHES = 1_000;

  private final Object lock = new Object();
  private final MemoryState state;
  private final Set<Capability> capabilities;
  private final Clock clock;
  private final Timer timer;
  private final List<MemoryWatch<?>> watches = new CopyOnWriteArrayList<>();
  private final List<Syncer> syncers = new CopyOnWriteArrayList<>();
  private final ThreadPoolExecutor watchers;
  private Epoch newest = Epoch.NONE;
  private boolean closed;

  private MemoryDatastore(Builder builder) {
    this.state = new MemoryState(builder.history);
    this.capabilities = Collections.unmodifiableSet(EnumSet.copyOf(builder.capabilities));
    this.clock = builder.clock;
    this.timer = builder.timer.orElseGet(OwnTimer::new);
    this.watchers =
        new ThreadPoolExecutor(
            0,
            2 * MOST_WATCHES,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Threads.named("watch"));
  }

  /** An empty one that can do all it may, on the system's clock. */
  public static MemoryDatastore create() {
    return builder().build();
  }

  /** For one with less, or with another clock. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> create(KeyValue<V> pair, Call call) {
    return write(
        pair.key(),
        call,
        () -> {
          Object value = writable("create", pair);
          Optional<Stored> there = state.find(pair.key().path());
          if (there.isPresent()) {
            throw new DatastoreException.AlreadyExists(
                pair.key().path(), there.get().known(pair.key()));
          }
          return put(pair, value);
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> update(KeyValue<V> pair, Call call) {
    return write(
        pair.key(),
        call,
        () -> {
          Object value = writable("update", pair);
          Stored there = existing(pair.key());
          checkRevision(pair.key(), Optional.of(there), pair.revision());
          return put(pair, value);
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> apply(KeyValue<V> pair, Call call) {
    return write(
        pair.key(),
        call,
        () -> {
          Object value = writable("apply", pair);
          checkRevision(pair.key(), state.find(pair.key().path()), pair.revision());
          return put(pair, value);
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> delete(Key<V> key, Revision revision, Call call) {
    return write(key, call, () -> remove(key, revision, Optional.empty()));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> deleteKvp(KeyValue<V> pair, Call call) {
    return write(pair.key(), call, () -> remove(pair.key(), pair.revision(), pair.uid()));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> get(Key<V> key, Revision revision, Call call) {
    String path = key.path();
    return read(
        call,
        () -> {
          OptionalLong at = oldRevision("get", path, revision);
          Optional<Stored> there =
              at.isEmpty()
                  ? state.find(path)
                  : Optional.ofNullable(state.beginningWith(path, at.getAsLong()).get(path));
          Stored stored = there.orElseThrow(() -> new DatastoreException.DoesNotExist(path));
          if (stored.as(key).isEmpty()) {
            throw stored.unparsable(path);
          }
          return stored.pair(key);
        });
  }

  @Override
  public <V> CompletionStage<KeyValueList<V>> list(
      ListOptions<V> options, Revision revision, Call call) {
    return read(
        call,
        () -> {
          OptionalLong at = oldRevision("list", options.root(), revision);
          var there =
              at.isEmpty()
                  ? state.beginningWith(options.root())
                  : state.beginningWith(options.root(), at.getAsLong());
          List<KeyValue<V>> items = new ArrayList<>();
          there.forEach(
              (path, stored) ->
                  options
                      .match(path)
                      .filter(key -> stored.as(key).isPresent())
                      .ifPresent(key -> items.add(stored.pair(key))));
          return new KeyValueList<>(items, revision(at.orElse(state.revision())));
        });
  }

  @Override
  public CompletionStage<Revision> commit(List<Guard> guards, List<Write> writes, Call call) {
    String about = writes.isEmpty() ? "" : writes.get(0).key().path();
    return write(
        about,
        call,
        () -> {
          checkBatch(guards, writes);
          guards.forEach(guard -> checkGuard(about, guard));
          if (writes.isEmpty()) {
            return revision(state.revision());
          }
          long revision = state.next();
          for (Write write : writes) {
            if (write instanceof Write.Put<?> put) {
              state.put(put.key().path(), put.value(), Optional.empty());
            } else {
              state.remove(write.key().path());
            }
          }
          return revision(revision);
        });
  }

  @Override
  public <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer) {
    if (!capabilities.contains(Capability.ORDERED_WATCH)) {
      throw new DatastoreException.NotSupported("watch", options.root(), "this store lists only");
    }
    OptionalLong from = number(revision);
    boolean fromScratch = from.isEmpty() || from.getAsLong() == 0;
    MemoryWatch<V> watch;
    synchronized (lock) {
      checkOpen();
      if (watches.size() >= MOST_WATCHES) {
        throw new EvenkeelException(
            ErrorKind.RESOURCE_EXHAUSTED, "more than " + MOST_WATCHES + " watches");
      }
      List<Change> now = new ArrayList<>();
      if (fromScratch) {
        state
            .beginningWith(options.root())
            .forEach(
                (path, stored) ->
                    now.add(
                        new Change(
                            stored.modified(), path, Optional.empty(), Optional.of(stored))));
      }
      long cursor = fromScratch ? state.revision() : from.getAsLong();
      watch = new MemoryWatch<>(options, observer, new History(), watchers, cursor, now);
      watches.add(watch);
    }
    watch.wake();
    return watch;
  }

  @Override
  public CompletionStage<Void> ensureInitialized(Call call) {
    return read(call, () -> Boolean.TRUE).thenAccept(ready -> {});
  }

  @Override
  public CompletionStage<Void> clean(Call call) {
    return write(
            "/",
            call,
            () -> {
              List<String> all = new ArrayList<>(state.beginningWith("").keySet());
              if (!all.isEmpty()) {
                state.next();
                all.forEach(state::remove);
              }
              return Boolean.TRUE;
            })
        .thenAccept(done -> {});
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public Syncer syncer(SyncerOptions options, SyncerCallbacks callbacks) {
    Syncer inner = new WatcherSyncer(this, options, callbacks);
    Syncer tracked =
        new Syncer() {
          @Override
          public void start() {
            inner.start();
          }

          @Override
          public void stop() {
            syncers.remove(this);
            inner.stop();
          }
        };
    syncers.add(tracked);
    return tracked;
  }

  @Override
  public void close() {
    syncers.forEach(Syncer::stop);
    synchronized (lock) {
      closed = true;
    }
    watches.forEach(MemoryWatch::close);
    watchers.shutdown();
    timer.close();
  }

  /** For tests: stores bytes that nothing can decode under a path. */
  public void putGarbage(String path, byte[] bytes) {
    synchronized (lock) {
      checkOpen();
      state.next();
      state.put(path, new Stored.Garbage(bytes), Optional.empty());
    }
    watches.forEach(MemoryWatch::wake);
  }

  /** Removes what has expired by the clock. The timer does it; tests with their own clock may. */
  public void expire() {
    boolean any;
    synchronized (lock) {
      any = !closed && state.expire(clock.instant());
    }
    if (any) {
      watches.forEach(MemoryWatch::wake);
    }
  }

  private <T> CompletionStage<T> read(Call call, Supplier<T> body) {
    expire();
    return run(call, body);
  }

  private <T> CompletionStage<T> write(Key<?> key, Call call, Supplier<T> body) {
    return write(key.path(), call, body);
  }

  private <T> CompletionStage<T> write(String path, Call call, Supplier<T> body) {
    expire();
    var stage =
        run(
            call,
            () -> {
              checkEpoch(path, call.epoch());
              return body.get();
            });
    watches.forEach(MemoryWatch::wake);
    return stage;
  }

  private <T> CompletionStage<T> run(Call call, Supplier<T> body) {
    try {
      synchronized (lock) {
        checkOpen();
        if (call.isCancelled()) {
          throw new EvenkeelException(ErrorKind.CANCELLED, "the call was called off");
        }
        return CompletableFuture.completedFuture(body.get());
      }
    } catch (EvenkeelException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  private <V> KeyValue<V> put(KeyValue<V> pair, Object value) {
    Key<V> key = pair.key();
    state.next();
    Stored stored = state.put(key.path(), value, pair.ttl().map(clock.instant()::plus));
    pair.ttl().ifPresent(life -> timer.after(life, this::expire));
    return new KeyValue<>(
        key, pair.value(), revision(stored.modified()), Optional.of(stored.uid()), pair.ttl());
  }

  /** The value to write; refused before anything is looked at. */
  private <V> Object writable(String verb, KeyValue<V> pair) {
    Key<V> key = pair.key();
    Object value =
        pair.value()
            .filter(key.type().valueType()::isInstance)
            .orElseThrow(
                () ->
                    InvalidInputException.of(
                        verb + " of " + key.path(), "value", "", "must be one of the key's kind"));
    if (pair.ttl().isPresent() && !capabilities.contains(Capability.TTL)) {
      throw new DatastoreException.NotSupported(verb, key.path(), "values here do not expire");
    }
    return value;
  }

  private <V> KeyValue<V> remove(Key<V> key, Revision revision, Optional<String> uid) {
    Optional<Stored> own = state.find(key.path());
    TreeSet<String> leaves = new TreeSet<>(below(key));
    own.ifPresent(stored -> leaves.add(key.path()));
    boolean conditional = revision.isGiven() || uid.isPresent();
    if (leaves.isEmpty() || (own.isEmpty() && conditional)) {
      var unused = number(revision);
      throw new DatastoreException.DoesNotExist(key.path());
    }
    if (uid.isPresent() && !uid.equals(own.map(Stored::uid))) {
      throw new DatastoreException.DoesNotExist(key.path());
    }
    checkRevision(key, own, revision);
    state.next();
    leaves.forEach(state::remove);
    for (Key<?> parent : key.parents()) {
      if (!inside(parent.deletePath()).stream().allMatch(parent.path()::equals)) {
        break;
      }
      state.remove(parent.path());
    }
    return own.map(stored -> stored.pair(key))
        .orElseGet(
            () ->
                new KeyValue<>(
                    key, Optional.empty(), Revision.NONE, Optional.empty(), Optional.empty()));
  }

  /** What goes with a key: nothing, unless its delete path says that it is a parent. */
  private Set<String> below(Key<?> key) {
    return key.deletePath().equals(key.path()) ? Set.of() : inside(key.deletePath());
  }

  private Set<String> inside(String directory) {
    String root = directory.endsWith("/") ? directory : directory + "/";
    return state.beginningWith(root).keySet();
  }

  private Stored existing(Key<?> key) {
    return state
        .find(key.path())
        .orElseThrow(() -> new DatastoreException.DoesNotExist(key.path()));
  }

  private void checkBatch(List<Guard> guards, List<Write> writes) {
    if (writes.size() > MOST_WRITES || guards.size() > MOST_WRITES) {
      throw InvalidInputException.of(
          "commit", "writes", "", "must be at most " + MOST_WRITES + " writes and guards");
    }
    Set<String> written = new HashSet<>();
    Set<String> touched = new HashSet<>();
    for (Write write : writes) {
      String path = write.key().path();
      touched.add(path);
      if (!written.add(path)) {
        throw InvalidInputException.of("commit", path, "", "must be written once at most");
      }
      if (write instanceof Write.Put<?> put
          && !put.key().type().valueType().isInstance(put.value())) {
        throw InvalidInputException.of("commit", path, "", "must be a value of the key's kind");
      }
    }
    for (Guard guard : guards) {
      keyOf(guard).ifPresent(key -> touched.add(key.path()));
    }
    if (touched.size() > 1 && !capabilities.contains(Capability.ATOMIC_BATCH)) {
      throw new DatastoreException.NotSupported(
          "commit", writes.isEmpty() ? "" : writes.get(0).key().path(), "several keys at once");
    }
  }

  private static Optional<Key<?>> keyOf(Guard guard) {
    if (guard instanceof Guard.At at) {
      return Optional.of(at.key());
    }
    if (guard instanceof Guard.Absent absent) {
      return Optional.of(absent.key());
    }
    return guard instanceof Guard.Exists exists ? Optional.of(exists.key()) : Optional.empty();
  }

  private void checkGuard(String about, Guard guard) {
    if (guard instanceof Guard.Leader leader) {
      if (!capabilities.contains(Capability.FENCED) && !leader.epoch().equals(Epoch.NONE)) {
        throw new DatastoreException.NotSupported("commit", about, "writes here are not fenced");
      }
      checkEpoch(about, leader.epoch());
      return;
    }
    Key<?> key = keyOf(guard).orElseThrow();
    Optional<Stored> there = state.find(key.path());
    boolean holds =
        guard instanceof Guard.At at
            ? there.isPresent()
                && number(at.revision()).equals(OptionalLong.of(there.get().modified()))
            : there.isPresent() == (guard instanceof Guard.Exists);
    if (!holds) {
      throw new DatastoreException.UpdateConflict(
          key.path(), there.flatMap(stored -> stored.known(key)));
    }
  }

  private void checkEpoch(String path, Epoch epoch) {
    if (epoch.equals(Epoch.NONE) || !capabilities.contains(Capability.FENCED)) {
      return;
    }
    if (epoch.compareTo(newest) < 0) {
      throw new DatastoreException.Fenced(path);
    }
    newest = epoch;
  }

  private void checkRevision(Key<?> key, Optional<Stored> there, Revision revision) {
    OptionalLong wanted = number(revision);
    if (wanted.isPresent() && (there.isEmpty() || there.get().modified() != wanted.getAsLong())) {
      throw new DatastoreException.UpdateConflict(
          key.path(), there.flatMap(stored -> stored.known(key)));
    }
  }

  private OptionalLong oldRevision(String verb, String path, Revision revision) {
    OptionalLong at = number(revision);
    if (at.isEmpty() || at.getAsLong() == 0) {
      return OptionalLong.empty();
    }
    if (!capabilities.contains(Capability.HISTORY)) {
      throw new DatastoreException.NotSupported(verb, path, "old states are not kept here");
    }
    return at;
  }

  private static OptionalLong number(Revision revision) {
    if (!revision.isGiven()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseUnsignedLong(revision.text()));
    } catch (NumberFormatException odd) {
      throw InvalidInputException.of(
          "datastore call", "revision", revision.text(), "must be one that this store gave");
    }
  }

  private static Revision revision(long number) {
    return new Revision(Long.toString(number));
  }

  private void checkOpen() {
    if (closed) {
      throw new EvenkeelException(ErrorKind.UNAVAILABLE, "the datastore is closed");
    }
  }

  /** What a watch reads. */
  private final class History implements MemoryWatch.Source {
    @Override
    public List<Change> after(String about, long revision, int most) {
      synchronized (lock) {
        return state.after(about, revision, most);
      }
    }

    @Override
    public void ended(MemoryWatch<?> watch) {
      watches.remove(watch);
    }
  }

  /** Runs a task later, once. Implemented by tests that have a clock of their own; any thread. */
  public interface Timer extends AutoCloseable {
    /** The task must be run that much later by the store's clock. */
    void after(Duration delay, Runnable task);

    /** Nothing more is run. */
    @Override
    default void close() {}
  }

  /** What a store in memory can do, and how. Not safe for threads. */
  public static final class Builder {
    private final EnumSet<Capability> capabilities =
        EnumSet.complementOf(EnumSet.of(Capability.DURABLE, Capability.LATEST_WATCH));
    private Clock clock = Clock.systemUTC();
    private Optional<Timer> timer = Optional.empty();
    private int history = 10_000;

    private Builder() {}

    /** Without an ability. */
    public Builder without(Capability capability) {
      capabilities.remove(capability);
      return this;
    }

    /** With another clock, and a timer that goes by it. */
    public Builder time(Clock newClock, Timer newTimer) {
      this.clock = newClock;
      this.timer = Optional.of(newTimer);
      return this;
    }

    /** With that many changes kept, at least one. */
    public Builder history(int changes) {
      if (changes < 1) {
        throw new IllegalArgumentException("a history keeps at least one change: " + changes);
      }
      this.history = changes;
      return this;
    }

    /** An empty store. */
    public MemoryDatastore build() {
      return new MemoryDatastore(this);
    }
  }
}
