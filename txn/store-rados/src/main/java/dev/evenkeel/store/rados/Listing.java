package dev.evenkeel.store.rados;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.ListOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Finds what a list means. Any thread. */
final class Listing {
  private static final int PAGE = 1_024;
  private static final int READS_AT_ONCE = 64;

  private final Cluster cluster;
  private final Layout layout;
  private final Foreigners foreigners;

  Listing(Cluster cluster, Layout layout, Foreigners foreigners) {
    this.cluster = cluster;
    this.layout = layout;
    this.foreigners = foreigners;
  }

  Foreign foreign(Key<?> key) {
    return foreigners.of(key);
  }

  <V> CompletableFuture<Snapshot> find(ListOptions<V> options, Limit limit) {
    KeyType<V> type = options.type();
    if (options.scope() == ListOptions.Scope.ONE) {
      return one(options);
    }
    if (Layout.isObjects(type)) {
      return cluster
          .onWorker(() -> objects(options))
          .thenCompose(spots -> readAll(new ArrayDeque<>(spots), limit))
          .thenApply(Snapshot::of);
    }
    CompletableFuture<SortedMap<String, Entry>> found =
        CompletableFuture.completedFuture(new TreeMap<>());
    for (Home home : layout.directories(type, options.root())) {
      found = found.thenCompose(before -> directory(options, home, before, limit));
    }
    return found.thenApply(Snapshot::of);
  }

  /** The record of one path as it is now. */
  <V> CompletableFuture<Optional<Entry>> entry(Key<V> key) {
    Spot spot = layout.spot(key);
    return Records.read(cluster, spot.home(), List.of(spot)).thenApply(seen -> seen.entry(spot));
  }

  private <V> CompletableFuture<Snapshot> one(ListOptions<V> options) {
    Optional<Key<V>> key = options.match(options.root());
    return key.isEmpty()
        ? CompletableFuture.completedFuture(Snapshot.of(new TreeMap<>()))
        : entry(key.get())
            .thenApply(
                found -> {
                  SortedMap<String, Entry> entries = new TreeMap<>();
                  found.ifPresent(entry -> entries.put(key.get().path(), entry));
                  return Snapshot.of(entries);
                });
  }

  private <V> CompletableFuture<SortedMap<String, Entry>> directory(
      ListOptions<V> options, Home home, SortedMap<String, Entry> before, Limit limit) {
    String prefix = layout.keyPrefix(options.type(), options.root());
    return Scan.of(cluster, home, prefix, PAGE, limit)
        .thenApply(
            scan -> {
              scan.records().values().forEach(found -> take(options, found, before));
              return before;
            });
  }

  private <V> void take(
      ListOptions<V> options, Map<String, byte[]> found, SortedMap<String, Entry> into) {
    String any = ((TreeMap<String, byte[]>) found).lastKey();
    layout
        .pathOf(options.type(), any)
        .flatMap(options::match)
        .flatMap(key -> layout.spot(key).entry(found))
        .ifPresent(entry -> into.put(entry.spot.path(), entry));
  }

  private <V> List<Spot> objects(ListOptions<V> options) {
    String pool = layout.directories(options.type(), options.type().prefix()).get(0).pool();
    return Fence.names(cluster.io(pool)).stream()
        .flatMap(name -> layout.pathOfObject(options.type(), name).stream())
        .flatMap(path -> options.match(path).stream())
        .map(layout::spot)
        .toList();
  }

  private CompletableFuture<SortedMap<String, Entry>> readAll(Deque<Spot> left, Limit limit) {
    return readNext(left, limit, new TreeMap<>());
  }

  /** So many at a time. */
  private CompletableFuture<SortedMap<String, Entry>> readNext(
      Deque<Spot> left, Limit limit, SortedMap<String, Entry> into) {
    limit.check();
    CompletableFuture<SortedMap<String, Entry>> all = CompletableFuture.completedFuture(into);
    for (int i = 0; i < READS_AT_ONCE && !left.isEmpty(); i++) {
      Spot spot = left.remove();
      all =
          all.thenCombine(
              Records.read(cluster, spot.home(), List.of(spot)),
              (found, seen) -> {
                seen.entry(spot).ifPresent(entry -> found.put(spot.path(), entry));
                return found;
              });
    }
    return left.isEmpty() ? all : all.thenCompose(found -> readNext(left, limit, found));
  }
}
