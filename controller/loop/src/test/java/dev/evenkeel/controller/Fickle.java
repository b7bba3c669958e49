package dev.evenkeel.controller;

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
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.Write;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A datastore that fails, and that does not answer, when it is told to. */
final class Fickle implements Datastore {
  final Datastore store;
  final AtomicInteger lists = new AtomicInteger();
  final AtomicInteger failingLists = new AtomicInteger();
  final ConcurrentLinkedQueue<Watch> watches = new ConcurrentLinkedQueue<>();
  volatile boolean away;
  volatile boolean hangs;
  volatile boolean failingWrites;

  Fickle(Datastore store) {
    this.store = store;
  }

  private <T> CompletionStage<T> unless(boolean failing, Supplier<CompletionStage<T>> call) {
    if (hangs) {
      return new CompletableFuture<>();
    }
    return failing
        ? CompletableFuture.failedFuture(DatastoreException.failed("", "it is away", null))
        : call.get();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> create(KeyValue<V> pair, Call call) {
    return unless(away, () -> store.create(pair, call));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> update(KeyValue<V> pair, Call call) {
    return unless(away, () -> store.update(pair, call));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> apply(KeyValue<V> pair, Call call) {
    return unless(away, () -> store.apply(pair, call));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> delete(Key<V> key, Revision revision, Call call) {
    return unless(away, () -> store.delete(key, revision, call));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> deleteKvp(KeyValue<V> pair, Call call) {
    return unless(away, () -> store.deleteKvp(pair, call));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> get(Key<V> key, Revision revision, Call call) {
    return unless(away, () -> store.get(key, revision, call));
  }

  @Override
  public <V> CompletionStage<KeyValueList<V>> list(
      ListOptions<V> options, Revision revision, Call call) {
    lists.incrementAndGet();
    boolean fails = failingLists.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    return unless(away || fails, () -> store.list(options, revision, call));
  }

  @Override
  public CompletionStage<Revision> commit(List<Guard> guards, List<Write> writes, Call call) {
    return unless(away || failingWrites, () -> store.commit(guards, writes, call));
  }

  @Override
  public <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer) {
    if (away) {
      throw DatastoreException.failed(options.root(), "it is away", null);
    }
    Watch watch = store.watch(options, revision, observer);
    watches.add(watch);
    return watch;
  }

  @Override
  public CompletionStage<Void> ensureInitialized(Call call) {
    return unless(away, () -> store.ensureInitialized(call));
  }

  @Override
  public CompletionStage<Void> clean(Call call) {
    return unless(away, () -> store.clean(call));
  }

  @Override
  public Set<Capability> capabilities() {
    return store.capabilities();
  }

  @Override
  public void close() {
    store.close();
  }
}
