package dev.evenkeel.datastore;

import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.ParseFailCallbacks;
import dev.evenkeel.api.datastore.SyncStatus;
import dev.evenkeel.api.datastore.Syncer;
import dev.evenkeel.api.datastore.SyncerCallbacks;
import dev.evenkeel.api.datastore.SyncerOptions;
import dev.evenkeel.api.datastore.SyncerOptions.StatusMode;
import dev.evenkeel.api.datastore.Update;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one algorithm of a syncer: a {@link SyncCache} for each kind, each with a thread, and a
 * merger, whose thread is the only one that calls back (datastore reference, 6.5).
 */
final class WatcherSyncer implements Syncer {
  private static final Logger LOG = LoggerFactory.getLogger(WatcherSyncer.class);
  private static final int CAPACITY = 2_000;
  private static final int AT_ONCE = 1_000;

  private final SyncerCallbacks callbacks;
  private final boolean latched;
  private final BlockingQueue<SyncItem> queue = new ArrayBlockingQueue<>(CAPACITY);
  private final CompletableFuture<Void> stop = new CompletableFuture<>();
  private final List<SyncCache<?>> caches = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Thread merger = daemon(this::merge, "merger");
  private boolean started;
  // Of the merger's thread.
  private final Set<SyncCache<?>> inSync = new HashSet<>();
  private List<Update> collected = new ArrayList<>();
  private Optional<SyncStatus> status = Optional.empty();
  private int ended;

  WatcherSyncer(Datastore store, SyncerOptions options, SyncerCallbacks callbacks) {
    this.callbacks = callbacks;
    this.latched = options.statusMode() == StatusMode.LATCHED;
    for (SyncerOptions.Source<?> source : options.sources()) {
      SyncCache<?> cache = new SyncCache<>(store, options, source, queue, stop, System::nanoTime);
      caches.add(cache);
      threads.add(daemon(cache, cache.name()));
    }
  }

  @Override
  public synchronized void start() {
    if (!started && !stop.isDone()) {
      started = true;
      merger.start();
    }
  }

  @Override
  public void stop() {
    boolean running;
    synchronized (this) {
      stop.complete(null);
      running = started;
    }
    caches.forEach(SyncCache::wake);
    if (running && caches.isEmpty()) {
      // With caches each of them says its own end; without any there is always room.
      var unused = queue.offer(new SyncItem.Ended());
    }
    Thread self = Thread.currentThread();
    if (running && self != merger && !threads.contains(self)) {
      join();
    }
  }

  private void join() {
    boolean interrupted = false;
    while (merger.isAlive()) {
      try {
        merger.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void merge() {
    tell(SyncStatus.WAIT_FOR_DATASTORE);
    threads.forEach(Thread::start);
    if (caches.isEmpty()) {
      tell(SyncStatus.RESYNC_IN_PROGRESS);
      tell(SyncStatus.IN_SYNC);
    }
    List<SyncItem> items = new ArrayList<>();
    int ends = Math.max(1, caches.size());
    while (ended < ends) {
      try {
        items.add(queue.take());
      } catch (InterruptedException ignored) {
        LOG.warn("somebody has interrupted a syncer; it goes on");
        continue;
      }
      queue.drainTo(items, AT_ONCE);
      items.forEach(this::take);
      items.clear();
      deliver();
    }
  }

  private void take(SyncItem item) {
    if (item instanceof SyncItem.Updates updates) {
      begin();
      collected.addAll(updates.updates());
    } else if (item instanceof SyncItem.Unparsable entry) {
      deliver();
      if (callbacks instanceof ParseFailCallbacks able) {
        call(() -> able.parseFailed(entry.rawKey(), entry.rawValue()));
      }
    } else if (item instanceof SyncItem.InSync mark) {
      begin();
      inSync.add(mark.cache());
      if (inSync.size() == caches.size()) {
        deliver();
        tell(SyncStatus.IN_SYNC);
      }
    } else if (item instanceof SyncItem.Lost mark) {
      lose(mark.cache());
    } else if (item instanceof SyncItem.Ended) {
      ended++;
    }
  }

  private void begin() {
    if (status.equals(Optional.of(SyncStatus.WAIT_FOR_DATASTORE))) {
      tell(SyncStatus.RESYNC_IN_PROGRESS);
    }
  }

  private void lose(SyncCache<?> cache) {
    boolean was = status.equals(Optional.of(SyncStatus.IN_SYNC));
    if (was && latched) {
      return;
    }
    inSync.remove(cache);
    if (was) {
      deliver();
      tell(SyncStatus.RESYNC_IN_PROGRESS);
    }
  }

  private void deliver() {
    if (!collected.isEmpty()) {
      List<Update> updates = List.copyOf(collected);
      collected = new ArrayList<>();
      call(() -> callbacks.onUpdates(updates));
    }
  }

  private void tell(SyncStatus now) {
    if (!status.equals(Optional.of(now))) {
      status = Optional.of(now);
      call(() -> callbacks.onStatusUpdated(now));
    }
  }

  private static void call(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException | Error thrown) {
      LOG.error("a syncer's callback has failed; the syncer goes on", thrown);
    }
  }

  private static Thread daemon(Runnable body, String name) {
    Thread thread = new Thread(body, "evenkeel-syncer-" + name);
    thread.setDaemon(true);
    return thread;
  }
}
