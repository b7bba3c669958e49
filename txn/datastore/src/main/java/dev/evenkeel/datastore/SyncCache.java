package dev.evenkeel.datastore;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.ConversionException;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.KeyValueList;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.SyncerOptions;
import dev.evenkeel.api.datastore.SyncerOptions.ParsePolicy;
import dev.evenkeel.api.datastore.Update;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one kind of key on its own thread: lists, watches from there, and lists anew when the
 * watch cannot go on (datastore reference, 6.1 to 6.4 and 6.7). It keeps no values, unless a
 * processor makes pairs of which the revision does not tell the value.
 *
 * <p>Lists always ask for the latest (Q2) and are all or nothing (Q12). An event names its key even
 * when the old pair is not known, so that Q6 has no case.
 */
final class SyncCache<V> implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SyncCache.class);
  private static final Duration LONGEST_LIST = Duration.ofMinutes(1);
  private static final int EMPTY_WATCHES = 5;

  private final Datastore store;
  private final SyncerOptions options;
  private final SyncerOptions.Source<V> source;
  private final BlockingQueue<SyncItem> merger;
  private final CompletableFuture<Void> stop;
  private final LongSupplier nanos;
  private final KnownPairs known;
  private final SyncPause listPause;
  private final SyncPause watchPause;
  private Revision resume = Revision.ZERO;
  private int emptyWatches;
  private volatile Optional<SyncStream<V>> current = Optional.empty();

  SyncCache(
      Datastore store,
      SyncerOptions options,
      SyncerOptions.Source<V> source,
      BlockingQueue<SyncItem> merger,
      CompletableFuture<Void> stop,
      LongSupplier nanos) {
    this.store = store;
    this.options = options;
    this.source = source;
    this.merger = merger;
    this.stop = stop;
    this.nanos = nanos;
    this.known = new KnownPairs(source.processor().isPresent());
    this.listPause = new SyncPause(options.listRetry(), nanos.getAsLong());
    this.watchPause = new SyncPause(options.listRetry(), ~nanos.getAsLong());
  }

  String name() {
    return source.options().type().name();
  }

  /** After the common stop was completed: makes the thread look. */
  void wake() {
    current.ifPresent(SyncStream::wake);
  }

  @Override
  public void run() {
    try {
      while (!stop.isDone()) {
        try {
          step();
        } catch (RuntimeException odd) {
          LOG.error("the syncer of {} has failed and begins anew", name(), odd);
          lose();
          pause(listPause.failed());
        }
      }
    } catch (InterruptedException interrupted) {
      // Only a store or a processor with the thread in its hands can do that: nothing is lost.
      LOG.warn("the syncer of {} was interrupted and ends", name());
    } finally {
      end();
    }
  }

  private void step() throws InterruptedException {
    if (resume.equals(Revision.ZERO) && !resync()) {
      return;
    }
    SyncStream<V> stream = new SyncStream<>();
    current = Optional.of(stream);
    Watch watch;
    try {
      watch = store.watch(source.options(), resume, stream);
    } catch (DatastoreException.NotSupported | DatastoreException.DoesNotExist polled) {
      resume = Revision.ZERO;
      pause(options.watchPoll());
      return;
    } catch (EvenkeelException refused) {
      LOG.warn("{} cannot be watched: {}", name(), refused.getMessage());
      lose();
      pause(watchPause.failedAfterSuccess());
      return;
    }
    try {
      follow(stream);
    } finally {
      stream.abandon();
      watch.close();
    }
  }

  /** Lists until it works; false when it was stopped meanwhile. */
  private boolean resync() throws InterruptedException {
    tellProcessor();
    while (!stop.isDone()) {
      Call call = Call.within(LONGEST_LIST);
      try {
        Optional<KeyValueList<V>> list =
            await(store.list(source.options(), Revision.NONE, call).toCompletableFuture());
        if (list.isEmpty()) {
          call.cancel();
          return false;
        }
        take(list.get());
        listPause.succeeded();
        return true;
      } catch (EvenkeelException failed) {
        LOG.warn("{} cannot be listed: {}", name(), failed.getMessage());
        call.cancel();
        lose();
        pause(listPause.failed());
      }
    }
    return false;
  }

  private void tellProcessor() {
    try {
      source.processor().ifPresent(SyncerOptions.UpdateProcessor::onSyncerStarting);
    } catch (RuntimeException thrown) {
      LOG.warn("the update processor of {} has failed at a resync", name(), thrown);
    }
  }

  private void take(KeyValueList<V> list) throws InterruptedException {
    known.unconfirm();
    for (KeyValue<V> pair : list.items()) {
      feed(pair.key(), pair);
    }
    send(known.drop(gone()));
    resume = list.revision();
    merger.put(new SyncItem.InSync(this));
  }

  /**
   * What was known and is not listed. A list leaves out what cannot be decoded; where such a key is
   * to keep its last value, it is asked for once more before it is called gone.
   */
  private List<Key<?>> gone() throws InterruptedException {
    List<Key<?>> unconfirmed = known.unconfirmed();
    if (options.onParseFailure() == ParsePolicy.DELETE || source.processor().isPresent()) {
      return unconfirmed;
    }
    List<Key<?>> gone = new ArrayList<>();
    for (Key<?> key : unconfirmed) {
      try {
        var there =
            await(store.get(key, Revision.NONE, Call.within(LONGEST_LIST)).toCompletableFuture());
        if (there.isEmpty()) {
          return List.of();
        }
      } catch (DatastoreException.ParsingEntry unparsable) {
        merger.put(
            new SyncItem.Unparsable(unparsable.identifier(), Optional.of(unparsable.rawValue())));
      } catch (DatastoreException.DoesNotExist absent) {
        gone.add(key);
      }
    }
    return gone;
  }

  private void follow(SyncStream<V> stream) throws InterruptedException {
    long begun = nanos.getAsLong();
    boolean empty = true;
    while (true) {
      Optional<SyncStream.Signal<V>> next = stream.take(stop::isDone);
      if (next.isEmpty()) {
        return;
      }
      if (next.get() instanceof SyncStream.Signal.Event<V> signal) {
        empty = false;
        watchPause.succeeded();
        emptyWatches = 0;
        take(signal.event());
        continue;
      }
      if (nanos.getAsLong() - begun > 30 * options.listRetry().toNanos()) {
        watchPause.succeeded();
        emptyWatches = 0;
      }
      if (next.get() instanceof SyncStream.Signal.Failed<V> failed) {
        LOG.warn("the watch of {} has failed: {}", name(), failed.failure().getMessage());
        lose();
        pause(watchPause.failedAfterSuccess());
      } else if (empty) {
        closedEmpty();
      }
      return;
    }
  }

  /** The store has ended a watch without an event: go on from where it was, but not for ever. */
  private void closedEmpty() throws InterruptedException {
    emptyWatches++;
    Duration pause = watchPause.failedAfterSuccess();
    if (emptyWatches >= EMPTY_WATCHES) {
      emptyWatches = 0;
      lose();
    }
    pause(pause);
  }

  private void take(WatchEvent<V> event) throws InterruptedException {
    if (event instanceof WatchEvent.Added<V> added) {
      feed(added.current().key(), added.current());
      resume = added.current().revision();
    } else if (event instanceof WatchEvent.Modified<V> modified) {
      feed(modified.current().key(), modified.current());
      resume = modified.current().revision();
    } else if (event instanceof WatchEvent.Deleted<V> deleted) {
      feed(deleted.key(), KnownPairs.gone(deleted.key()));
      resume = deleted.revision();
    } else if (event instanceof WatchEvent.Unparsable<V> unparsable) {
      fail(unparsable);
      resume = unparsable.revision();
    } else if (event instanceof WatchEvent.Progress<V> progress) {
      resume = progress.revision();
    }
  }

  private void feed(Key<V> key, KeyValue<V> pair) throws InterruptedException {
    if (source.processor().isEmpty()) {
      send(known.feed(key.path(), List.of(pair)));
      return;
    }
    List<KeyValue<?>> made;
    try {
      made = List.copyOf(source.processor().get().process(pair));
    } catch (ConversionException thrown) {
      failedConversion(key, thrown);
      return;
    } catch (RuntimeException thrown) {
      failedConversion(key, thrown);
      return;
    }
    send(known.feed(key.path(), made));
  }

  /** With what follows from it; where last values are to be kept, that is only what has one. */
  private void failedConversion(Key<V> key, ConversionException thrown)
      throws InterruptedException {
    List<KeyValue<?>> told = thrown.pairs();
    if (options.onParseFailure() == ParsePolicy.KEEP_LAST) {
      known.confirmSource(key.path());
      told = told.stream().filter(pair -> pair.value().isPresent()).toList();
    }
    send(known.feed(key.path(), told));
    LOG.warn("{}", thrown.getMessage(), thrown.getCause());
    merger.put(new SyncItem.Unparsable(thrown.rawKey(), thrown.rawValue()));
  }

  private void failedConversion(Key<V> key, RuntimeException thrown) throws InterruptedException {
    if (options.onParseFailure() == ParsePolicy.DELETE) {
      send(known.dropSource(key.path()));
    } else {
      known.confirmSource(key.path());
    }
    if (thrown instanceof DatastoreException.ParsingEntry entry) {
      merger.put(new SyncItem.Unparsable(entry.identifier(), Optional.of(entry.rawValue())));
    } else {
      LOG.warn("the update processor of {} has failed on {}", name(), key.path(), thrown);
      merger.put(new SyncItem.Unparsable(key.path(), Optional.empty()));
    }
  }

  private void fail(WatchEvent.Unparsable<V> event) throws InterruptedException {
    if (event.key().isPresent() && options.onParseFailure() == ParsePolicy.DELETE) {
      Key<V> key = event.key().get();
      send(known.feedOnly(key.path(), ofUnparsable(key)));
    }
    merger.put(new SyncItem.Unparsable(event.rawKey(), event.rawValue()));
  }

  private List<KeyValue<?>> ofUnparsable(Key<V> key) {
    try {
      return source.processor().map(p -> p.unparsable(key)).orElse(List.of());
    } catch (RuntimeException thrown) {
      LOG.warn("the update processor of {} has failed on {}", name(), key.path(), thrown);
      return List.of();
    }
  }

  private void lose() throws InterruptedException {
    resume = Revision.ZERO;
    merger.put(new SyncItem.Lost(this));
  }

  private void send(List<Update> updates) throws InterruptedException {
    if (!updates.isEmpty()) {
      merger.put(new SyncItem.Updates(updates));
    }
  }

  /** The result, or empty when stopped before. */
  private <T> Optional<T> await(CompletableFuture<T> stage) throws InterruptedException {
    try {
      var unused =
          CompletableFuture.anyOf(stage, stop)
              .get(LONGEST_LIST.toNanos() * 2, TimeUnit.NANOSECONDS);
      return stage.isDone() ? Optional.of(stage.get()) : Optional.empty();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof EvenkeelException known) {
        throw known;
      }
      throw DatastoreException.failed(
          source.options().root(), "the datastore has failed", failed.getCause());
    } catch (TimeoutException hung) {
      throw DatastoreException.failed(
          source.options().root(), "the datastore does not answer", hung);
    }
  }

  private void pause(Duration time) throws InterruptedException {
    if (time.isZero()) {
      return;
    }
    try {
      stop.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException over) {
      return;
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("a stop that failed", impossible);
    }
  }

  /** Whatever happens, what was told is taken back, and the merger can end. */
  private void end() {
    boolean interrupted = false;
    List<SyncItem> last = new ArrayList<>();
    List<Update> all = known.dropAll();
    if (!all.isEmpty()) {
      last.add(new SyncItem.Updates(all));
    }
    last.add(new SyncItem.Ended());
    while (!last.isEmpty()) {
      try {
        merger.put(last.get(0));
        last.remove(0);
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
