package dev.evenkeel.store.rados;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Codecs;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * The datastore on OMAPs of Ceph RADOS, through librados (package {@code librados2}). Opened and
 * closed by the program that owns it; any thread; only {@link #open} and {@link #close} wait.
 * Stages complete on a thread of the store's: do not block it.
 *
 * <p>Atomic is what lies in one object: one pair, or a batch within one directory object. Volumes,
 * snapshots and groups lie as ceph-csi lays them, so that what it wrote can be read. A watch is
 * {@link Capability#LATEST_WATCH}: told by notifications, with a look of its own behind them, and
 * it holds what it watches in memory. Under an epoch every write compares the epoch; old states are
 * not kept, and values do not expire.
 *
 * <p>A write whose answer is lost is looked for; when that cannot tell either, it ends with {@link
 * DatastoreException.PartialFailure}.
 */
@Experimental
public final class RadosDatastore implements Datastore {
  private static final Set<Capability> ABLE =
      Collections.unmodifiableSet(
          EnumSet.of(Capability.LATEST_WATCH, Capability.FENCED, Capability.DURABLE));

  private final Cluster cluster;
  private final Layout layout;
  private final Codecs codecs;
  private final Pairs pairs;
  private final Listing listing;
  private final Fence fence;
  private final Watches watches;
  private final Deadlines deadlines;
  private final List<Syncer> syncers = new CopyOnWriteArrayList<>();

  private RadosDatastore(RadosSettings settings, Codecs codecs, Cluster cluster) {
    this.cluster = cluster;
    this.deadlines = new Deadlines(cluster.timer());
    this.codecs = codecs;
    this.layout = new Layout(settings);
    this.fence = new Fence(cluster, layout.fence());
    Foreigners foreigners = new Foreigners(settings, cluster);
    this.listing = new Listing(cluster, layout, foreigners);
    this.watches = new Watches(cluster, layout, listing, codecs, settings.pollEvery());
    Records records = new Records(cluster, fence, watches::changed);
    this.pairs = new Pairs(cluster, layout, records, fence, codecs, foreigners);
  }

  /**
   * Connects to a cluster. Waits as long as the settings say.
   *
   * @throws EvenkeelException {@code UNAUTHORIZED} for a wrong user or key, {@code
   *     FAILED_PRECONDITION} for a missing pool, {@code UNAVAILABLE} when no monitor answers,
   *     {@code UNIMPLEMENTED} without librados
   */
  public static RadosDatastore open(RadosSettings settings, Codecs codecs) {
    return new RadosDatastore(settings, codecs, Cluster.open(settings));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> create(KeyValue<V> pair, Call call) {
    return run(call, limit -> pairs.create(pair, limit));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> update(KeyValue<V> pair, Call call) {
    return run(call, limit -> pairs.update(pair, limit));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> apply(KeyValue<V> pair, Call call) {
    return run(call, limit -> pairs.apply(pair, limit));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> delete(Key<V> key, Revision revision, Call call) {
    return run(call, limit -> pairs.delete(key, revision, Optional.empty(), limit));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> deleteKvp(KeyValue<V> pair, Call call) {
    return run(call, limit -> pairs.delete(pair.key(), pair.revision(), pair.uid(), limit));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> get(Key<V> key, Revision revision, Call call) {
    return run(
        call,
        limit -> {
          checkLatest("get", key.path(), revision);
          return pairs.get(key);
        });
  }

  @Override
  public <V> CompletionStage<KeyValueList<V>> list(
      ListOptions<V> options, Revision revision, Call call) {
    return run(
        call,
        limit -> {
          checkLatest("list", options.root(), revision);
          return listing.find(options, limit).thenApply(found -> listed(options, found));
        });
  }

  private <V> KeyValueList<V> listed(ListOptions<V> options, Snapshot found) {
    Snapshot kept = watches.keep(options, found);
    List<KeyValue<V>> items = new ArrayList<>();
    kept.entries()
        .forEach(
            (path, entry) ->
                options
                    .match(path)
                    .flatMap(key -> entry.tryPair(key, codecs, listing.foreign(key)))
                    .ifPresent(items::add));
    return new KeyValueList<>(items, kept.revision());
  }

  @Override
  public CompletionStage<Revision> commit(List<Guard> guards, List<Write> writes, Call call) {
    List<Guard> checked = List.copyOf(guards);
    List<Write> ordered = List.copyOf(writes);
    return run(call, limit -> pairs.commit(checked, ordered, limit));
  }

  @Override
  public <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer) {
    boolean resumed = Revisions.isCondition(revision);
    return watches.watch(options, resumed ? revision : Revision.NONE, observer);
  }

  @Override
  public CompletionStage<Void> ensureInitialized(Call call) {
    return run(call, limit -> fence.noted("").thenApply(known -> Boolean.TRUE))
        .thenAccept(ready -> {});
  }

  /** Everything of the namespace that has a name of this store's, other instances' too. */
  @Override
  public CompletionStage<Void> clean(Call call) {
    return run(call, pairs::clean).thenAccept(done -> watches.lookAll());
  }

  @Override
  public Set<Capability> capabilities() {
    return ABLE;
  }

  @Override
  public Syncer syncer(SyncerOptions options, SyncerCallbacks callbacks) {
    Syncer inner = Datastore.super.syncer(options, callbacks);
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

  /** From what depends on a read, on the library's thread, it does not wait for the end. */
  @Override
  public void close() {
    if (Cluster.isLibrarys(Thread.currentThread())) {
      Thread closing = new Thread(this::end, "evenkeel-rados-close");
      closing.setDaemon(true);
      closing.start();
    } else {
      end();
    }
  }

  private void end() {
    syncers.forEach(Syncer::stop);
    watches.close();
    cluster.close();
    deadlines.fail(Cluster.closed());
  }

  private static void checkLatest(String verb, String path, Revision revision) {
    if (Revisions.isCondition(revision)) {
      throw new DatastoreException.NotSupported(verb, path, "old states are not kept here");
    }
  }

  /** Runs a call within its limit; what is wrong with it is found before anything is sent. */
  private <T> CompletableFuture<T> run(Call call, Function<Limit, CompletableFuture<T>> body) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Limit limit = new Limit(call);
    try {
      if (cluster.isClosed()) {
        throw Cluster.closed();
      }
      limit.check();
      deadlines.watch(limit, result);
      var unused = body.apply(limit).whenComplete((value, failed) -> answer(result, value, failed));
    } catch (RejectedExecutionException over) {
      result.completeExceptionally(Cluster.closed());
    } catch (RuntimeException refused) {
      result.completeExceptionally(refused);
    }
    return result;
  }

  private static <T> void answer(
      CompletableFuture<T> result, T value, @org.jspecify.annotations.Nullable Throwable failed) {
    if (failed == null) {
      result.complete(value);
      return;
    }
    Throwable cause = failed;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    result.completeExceptionally(
        cause instanceof EvenkeelException
            ? cause
            : new EvenkeelException(ErrorKind.INTERNAL, "the RADOS store failed", cause));
  }

  /** For tests: the connection. */
  Cluster cluster() {
    return cluster;
  }

  /** For tests: where a record is. */
  Spot spot(Key<?> key) {
    return layout.spot(key);
  }
}
