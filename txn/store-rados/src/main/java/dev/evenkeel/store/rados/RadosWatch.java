package dev.evenkeel.store.rados;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch compares what is there with what it has told, and tells the difference. It looks at
 * single paths when it hears which have changed, else at all. It uses a thread only while it looks
 * or tells, so a slow observer holds up nobody else.
 */
final class RadosWatch<V> implements Watch, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RadosWatch.class);
  private static final int MOST_PATHS = 1_000;
  private static final Duration LOOK = Duration.ofMinutes(2);

  private final ListOptions<V> options;
  private final Observer<V> observer;
  private final Codecs codecs;
  private final Cluster cluster;
  private final Listing listing;
  private final Consumer<RadosWatch<?>> ended;
  private final boolean kept;
  private final AtomicInteger wakes = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean terminated;
  // Under this object's lock.
  private final Set<String> paths = new TreeSet<>();
  private boolean all;
  private Optional<ScheduledFuture<?>> poll = Optional.empty();
  // Only the one run at a time touches it.
  private final TreeMap<String, Entry> told;

  /**
   * @param base what its user knows already; empty when that is not known any more
   */
  RadosWatch(
      ListOptions<V> options,
      Observer<V> observer,
      Codecs codecs,
      Cluster cluster,
      Listing listing,
      Optional<Snapshot> base,
      Consumer<RadosWatch<?>> ended) {
    this.options = options;
    this.observer = observer;
    this.codecs = codecs;
    this.cluster = cluster;
    this.listing = listing;
    this.ended = ended;
    this.kept = base.isPresent();
    this.told = new TreeMap<>();
    base.ifPresent(
        list ->
            list.entries()
                .forEach(
                    (path, entry) -> {
                      if (options.match(path).isPresent()) {
                        told.put(path, entry);
                      }
                    }));
  }

  /** It is also woken by a clock, which it stops at its end. */
  void polled(ScheduledFuture<?> clock) {
    synchronized (this) {
      poll = Optional.of(clock);
    }
    if (closed.get()) {
      clock.cancel(false);
    }
  }

  /** These may have changed. */
  void changed(List<String> some) {
    boolean mine = false;
    synchronized (this) {
      for (String path : some) {
        if (options.match(path).isPresent()) {
          mine = true;
          paths.add(path);
        }
      }
      if (paths.size() > MOST_PATHS) {
        paths.clear();
        all = true;
      }
    }
    if (mine) {
      wake();
    }
  }

  /** Anything may have changed. */
  void look() {
    synchronized (this) {
      all = true;
      paths.clear();
    }
    wake();
  }

  private void wake() {
    if (wakes.getAndIncrement() == 0) {
      try {
        cluster.workers().execute(this);
      } catch (RejectedExecutionException over) {
        LOG.debug("a watch was woken after its store was closed", over);
      }
    }
  }

  @Override
  public void run() {
    int seen = wakes.get();
    do {
      if (!terminated) {
        tell();
      }
      seen = wakes.addAndGet(-seen);
    } while (seen != 0);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      wake();
    }
  }

  @Override
  public boolean hasTerminated() {
    return terminated;
  }

  private void tell() {
    try {
      if (!kept) {
        throw Watches.notKept(options.root());
      }
      while (!closed.get() && lookOnce()) {}
    } catch (DatastoreException failure) {
      fail(failure);
    } catch (InterruptedException ending) {
      LOG.debug("a watch of {} is ended", options.root(), ending);
      closed.set(true);
    } catch (RuntimeException thrown) {
      fail(failed(thrown));
    }
    if (closed.get()) {
      end();
    }
  }

  private DatastoreException failed(Throwable thrown) {
    if (!cluster.isClosed()) {
      LOG.warn("a watch of {} has failed", options.root(), thrown);
    }
    return DatastoreException.failed(options.root(), "the watch has failed", thrown);
  }

  private boolean lookOnce() throws InterruptedException {
    boolean everything;
    List<String> some;
    synchronized (this) {
      everything = all;
      some = List.copyOf(paths);
      all = false;
      paths.clear();
    }
    if (everything) {
      lookAtAll();
    } else {
      lookAt(some);
    }
    return everything || !some.isEmpty();
  }

  private void lookAtAll() throws InterruptedException {
    Snapshot now = await(listing.find(options, new Limit(Call.within(LOOK))));
    Set<String> every = new TreeSet<>(told.keySet());
    every.addAll(now.entries().keySet());
    for (String path : every) {
      if (!closed.get()) {
        compare(path, Optional.ofNullable(now.entries().get(path)));
      }
    }
  }

  private void lookAt(List<String> some) throws InterruptedException {
    List<CompletableFuture<Optional<Entry>>> reads = new ArrayList<>();
    for (String path : some) {
      reads.add(listing.entry(options.match(path).orElseThrow()));
    }
    for (int i = 0; i < some.size(); i++) {
      Optional<Entry> now = await(reads.get(i));
      if (!closed.get()) {
        compare(some.get(i), now);
      }
    }
  }

  private static <T> T await(CompletableFuture<T> stage) throws InterruptedException {
    try {
      return stage.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }

  private void compare(String path, Optional<Entry> now) {
    Optional<Entry> before = Optional.ofNullable(told.get(path));
    if (now.map(Entry::revision).equals(before.map(Entry::revision))) {
      return;
    }
    Key<V> key = options.match(path).orElseThrow();
    if (now.isPresent()) {
      told.put(path, now.get());
    } else {
      told.remove(path);
    }
    observer.onEvent(event(key, before, now));
  }

  private WatchEvent<V> event(Key<V> key, Optional<Entry> before, Optional<Entry> now) {
    Optional<KeyValue<V>> previous =
        before.flatMap(entry -> entry.tryPair(key, codecs, listing.foreign(key)));
    if (now.isEmpty()) {
      return new WatchEvent.Deleted<>(key, previous, new Revision(cluster.token()));
    }
    Optional<KeyValue<V>> current = now.get().tryPair(key, codecs, listing.foreign(key));
    if (current.isEmpty()) {
      return new WatchEvent.Unparsable<>(
          Optional.of(key), key.path(), Optional.of(now.get().raw()), now.get().revision());
    }
    return before.isEmpty()
        ? new WatchEvent.Added<>(current.get())
        : new WatchEvent.Modified<>(previous, current.get());
  }

  private void fail(DatastoreException failure) {
    if (closed.compareAndSet(false, true)) {
      try {
        observer.onError(failure);
      } catch (RuntimeException thrown) {
        LOG.warn("the observer of a watch of {} has failed", options.root(), thrown);
      }
    }
  }

  private void end() {
    synchronized (this) {
      poll.ifPresent(clock -> clock.cancel(false));
      paths.clear();
    }
    told.clear();
    try {
      observer.onClosed();
    } catch (RuntimeException thrown) {
      LOG.warn("the observer of a watch of {} has failed at its end", options.root(), thrown);
    } finally {
      ended.accept(this);
      terminated = true;
    }
  }
}
