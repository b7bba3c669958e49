package dev.evenkeel.store.local;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch reads the store's history from where it stands: a slow observer holds nobody up and costs
 * nothing, until the history has moved past it; then it is told so and closed. It uses a thread
 * only while there is something to tell.
 */
final class LocalWatch<V> implements Watch, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalWatch.class);
  private static final int AT_ONCE = 100;

  private final ListOptions<V> options;
  private final Observer<V> observer;
  private final Codecs codecs;
  private final Source source;
  private final Executor executor;
  private final AtomicInteger wakes = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean terminated;
  // Only the one run at a time touches these.
  private final ArrayDeque<WatchEvent<V>> first = new ArrayDeque<>();
  private long cursor;

  /** Where the changes come from; throws when they are not kept any more. */
  interface Source {
    List<Change> after(String about, long revision, int most);

    void ended(LocalWatch<?> watch);
  }

  /** A watch of what comes after a revision, and of these pairs before. */
  LocalWatch(
      ListOptions<V> options,
      Observer<V> observer,
      Codecs codecs,
      Source source,
      Executor executor,
      long cursor,
      Iterable<Change> now) {
    this.options = options;
    this.observer = observer;
    this.codecs = codecs;
    this.source = source;
    this.executor = executor;
    this.cursor = cursor;
    now.forEach(change -> first.addAll(events(change)));
    if (now.iterator().hasNext()) {
      first.add(new WatchEvent.Progress<>(Entry.revision(cursor)));
    }
  }

  void wake() {
    if (wakes.getAndIncrement() == 0) {
      try {
        executor.execute(this);
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
      while (!closed.get() && refill()) {
        while (!closed.get() && !first.isEmpty()) {
          observer.onEvent(first.remove());
        }
      }
    } catch (DatastoreException failure) {
      fail(failure);
    } catch (RuntimeException thrown) {
      LOG.warn("the observer of a watch of {} has failed", options.root(), thrown);
      fail(DatastoreException.failed(options.root(), "the watch's observer has failed", thrown));
    }
    if (closed.get()) {
      end();
    }
  }

  private boolean refill() {
    while (first.isEmpty()) {
      List<Change> changes = source.after(options.root(), cursor, AT_ONCE);
      if (changes.isEmpty()) {
        return false;
      }
      cursor = changes.get(changes.size() - 1).revision();
      changes.forEach(change -> first.addAll(events(change)));
    }
    return true;
  }

  private void fail(DatastoreException failure) {
    if (closed.compareAndSet(false, true)) {
      try {
        observer.onError(failure);
      } catch (RuntimeException thrown) {
        LOG.warn("the observer of a watch of {} has failed again", options.root(), thrown);
      }
    }
  }

  private void end() {
    first.clear();
    try {
      observer.onClosed();
    } catch (RuntimeException thrown) {
      LOG.warn("the observer of a watch of {} has failed at its end", options.root(), thrown);
    } finally {
      source.ended(this);
      terminated = true;
    }
  }

  private List<WatchEvent<V>> events(Change change) {
    Optional<Key<V>> match = options.match(change.path());
    if (match.isEmpty()) {
      return List.of();
    }
    Key<V> key = match.get();
    Revision revision = Entry.revision(change.revision());
    Optional<KeyValue<V>> before = change.before().flatMap(entry -> entry.tryPair(key, codecs));
    if (change.after().isEmpty()) {
      return List.of(new WatchEvent.Deleted<>(key, before, revision));
    }
    Entry now = change.after().get();
    Optional<KeyValue<V>> after = now.tryPair(key, codecs);
    if (after.isEmpty()) {
      return List.of(
          new WatchEvent.Unparsable<>(
              Optional.of(key), change.path(), Optional.of(now.raw()), revision));
    }
    return change.before().isEmpty()
        ? List.of(new WatchEvent.Added<>(after.get()))
        : List.of(new WatchEvent.Modified<>(before, after.get()));
  }
}
