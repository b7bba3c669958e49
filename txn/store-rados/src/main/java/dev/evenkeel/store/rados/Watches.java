package dev.evenkeel.store.rados;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The watches of a store. A change that this store has made wakes them directly, one that another
 * client has made wakes them by a notification; behind both they look for themselves every so
 * often, since a notification can be lost. Any thread.
 */
final class Watches {
  private static final int MOST = 1_000;

  private final Cluster cluster;
  private final Layout layout;
  private final Listing listing;
  private final Codecs codecs;
  private final Duration pollEvery;
  private final Lists lists = new Lists();
  private final List<RadosWatch<?>> watches = new CopyOnWriteArrayList<>();
  private final Map<Home, Bell> bells = new ConcurrentHashMap<>();
  private boolean closed;

  Watches(Cluster cluster, Layout layout, Listing listing, Codecs codecs, Duration pollEvery) {
    this.cluster = cluster;
    this.layout = layout;
    this.listing = listing;
    this.codecs = codecs;
    this.pollEvery = pollEvery;
  }

  /** This store has changed these records of an object. */
  void changed(Home home, List<String> paths) {
    watches.forEach(watch -> watch.changed(paths));
    bell(layout.bell(home, paths.get(0))).ring(paths);
  }

  /** Anything may have changed. */
  void lookAll() {
    watches.forEach(RadosWatch::look);
  }

  /** Keeps what a list has found, so that a watch can go on from there. */
  Snapshot keep(ListOptions<?> options, Snapshot found) {
    Snapshot labelled = found.labelled(options);
    lists.keep(labelled);
    return labelled;
  }

  <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer) {
    if (options.scope() == ListOptions.Scope.ONE) {
      options.match(options.root()).ifPresent(layout::spot);
    }
    Optional<Snapshot> base =
        revision.isGiven() ? lists.find(revision, options) : Optional.of(Snapshot.nothing());
    RadosWatch<V> watch;
    synchronized (this) {
      if (closed) {
        throw Cluster.closed();
      }
      if (watches.size() >= MOST) {
        throw new EvenkeelException(ErrorKind.RESOURCE_EXHAUSTED, "more than " + MOST + " watches");
      }
      watch = new RadosWatch<>(options, observer, codecs, cluster, listing, base, this::ended);
      watches.add(watch);
    }
    if (base.isPresent()) {
      watch.polled(poll(watch, options));
    }
    watch.look();
    return watch;
  }

  private ScheduledFuture<?> poll(RadosWatch<?> watch, ListOptions<?> options) {
    List<Bell> own = new ArrayList<>();
    for (Home home : layout.directories(options.type(), options.root())) {
      own.add(bell(home));
    }
    own.forEach(Bell::listen);
    Runnable look =
        () -> {
          own.forEach(Bell::listen);
          watch.look();
        };
    long every = pollEvery.toMillis();
    try {
      return cluster.timer().scheduleWithFixedDelay(look, every, every, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException over) {
      watch.close();
      throw Cluster.closed();
    }
  }

  private void ended(RadosWatch<?> watch) {
    watches.remove(watch);
  }

  private Bell bell(Home home) {
    return bells.computeIfAbsent(home, own -> new Bell(cluster, own, this::heard));
  }

  private void heard(Optional<List<String>> paths) {
    watches.forEach(watch -> paths.ifPresentOrElse(watch::changed, watch::look));
  }

  /** Ends all; waits a little for the cluster to be told. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    watches.forEach(RadosWatch::close);
    bells.values().forEach(Bell::close);
    bells.values().forEach(Bell::awaitClosed);
  }

  /** That a watch cannot go on from a revision. */
  static DatastoreException notKept(String root) {
    return new DatastoreException(
        ErrorKind.FAILED_PRECONDITION,
        root,
        "what was at that revision is not kept here: list anew",
        null);
  }
}
