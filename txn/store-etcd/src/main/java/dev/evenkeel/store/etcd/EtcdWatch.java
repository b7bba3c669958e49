package dev.evenkeel.store.etcd;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A watch for a user: what the stream brings, as typed events. */
final class EtcdWatch<V> implements Watch, WatchStream.Reader {
  private static final Logger LOG = LoggerFactory.getLogger(EtcdWatch.class);

  private final ListOptions<V> options;
  private final Observer<V> observer;
  private final Codecs codecs;
  private final int rootLength;
  private final Serial serial;
  private final WatchStream stream;
  private final Consumer<EtcdWatch<V>> ended;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean terminated;

  EtcdWatch(
      Connection connection,
      EtcdSettings settings,
      ListOptions<V> options,
      Observer<V> observer,
      Codecs codecs,
      Consumer<EtcdWatch<V>> ended) {
    this.options = options;
    this.observer = observer;
    this.codecs = codecs;
    this.rootLength = settings.root().length();
    this.serial = new Serial(connection.watchers());
    this.ended = ended;
    this.stream =
        new WatchStream(
            connection, settings, serial, Listing.range(settings, options), options.root(), this);
  }

  /** Goes on after that revision. */
  void after(long revision) {
    serial.execute(() -> begin(revision));
  }

  /** Tells what was found, then goes on after it. */
  void after(Listing.Found found) {
    serial.execute(
        () -> {
          tell(
              () -> {
                for (KeyValue pair : found.pairs()) {
                  key(pair).ifPresent(key -> on(put(key, pair, true, Optional.empty())));
                }
                on(new WatchEvent.Progress<>(Stored.revision(found.revision())));
              });
          begin(found.revision());
        });
  }

  private void begin(long revision) {
    if (!closed.get()) {
      stream.start(revision + 1);
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      serial.execute(this::end);
    }
  }

  @Override
  public boolean hasTerminated() {
    return terminated;
  }

  /** What it begins with could not be read. */
  void fail(DatastoreException failure) {
    serial.execute(() -> failed(failure));
  }

  @Override
  public void events(List<Event> events) {
    tell(() -> events.forEach(this::event));
  }

  @Override
  public void progress(long revision) {
    tell(() -> on(new WatchEvent.Progress<>(Stored.revision(revision))));
  }

  @Override
  public void failed(DatastoreException failure) {
    if (closed.compareAndSet(false, true)) {
      try {
        observer.onError(failure);
      } catch (RuntimeException thrown) {
        LOG.warn("the observer of a watch of {} has failed again", options.root(), thrown);
      }
      end();
    }
  }

  private void tell(Runnable events) {
    try {
      events.run();
    } catch (RuntimeException thrown) {
      LOG.warn("the observer of a watch of {} has failed", options.root(), thrown);
      failed(DatastoreException.failed(options.root(), "the watch's observer has failed", thrown));
    }
  }

  private void end() {
    stream.close();
    try {
      observer.onClosed();
    } catch (RuntimeException thrown) {
      LOG.warn("the observer of a watch of {} has failed at its end", options.root(), thrown);
    } finally {
      ended.accept(this);
      terminated = true;
    }
  }

  private void on(WatchEvent<V> event) {
    if (!closed.get()) {
      observer.onEvent(event);
    }
  }

  private void event(Event event) {
    KeyValue now = event.getKv();
    Optional<Key<V>> match = key(now);
    if (match.isEmpty()) {
      return;
    }
    Key<V> key = match.get();
    Optional<dev.evenkeel.api.datastore.KeyValue<V>> before =
        event.hasPrevKv() ? Stored.tryPair(key, event.getPrevKv(), codecs) : Optional.empty();
    if (event.getType() == Event.EventType.DELETE) {
      on(new WatchEvent.Deleted<>(key, before, revision(now)));
    } else {
      on(put(key, now, now.getCreateRevision() == now.getModRevision(), before));
    }
  }

  private WatchEvent<V> put(
      Key<V> key,
      KeyValue now,
      boolean first,
      Optional<dev.evenkeel.api.datastore.KeyValue<V>> before) {
    Optional<dev.evenkeel.api.datastore.KeyValue<V>> after = Stored.tryPair(key, now, codecs);
    if (after.isEmpty()) {
      byte[] raw = now.getValue().toByteArray();
      return new WatchEvent.Unparsable<>(
          Optional.of(key), key.path(), Optional.of(raw), revision(now));
    }
    return first
        ? new WatchEvent.Added<>(after.get())
        : new WatchEvent.Modified<>(before, after.get());
  }

  private Optional<Key<V>> key(KeyValue pair) {
    return options.match(Bytes.text(pair.getKey()).substring(rootLength));
  }

  private static Revision revision(KeyValue pair) {
    return Stored.revision(pair.getModRevision());
  }
}
