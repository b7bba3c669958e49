package dev.evenkeel.store.etcd;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Experimental;
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
import java.util.function.Supplier;

/**
 * A datastore whose every write is made under the epoch of a leader: the store compares it in the
 * transaction that writes, and refuses an old one. Made by the program that has an election, and
 * given to whatever writes; any thread. Reads and watches are those of the store behind it. Closing
 * this closes that one.
 */
@Experimental
public final class FencedDatastore implements Datastore {
  private final Datastore store;
  private final Supplier<Epoch> epoch;

  /**
   * Over a store.
   *
   * @param epoch the one of the last leadership that was won; while it is {@link Epoch#NONE},
   *     writes are refused as fenced
   * @throws DatastoreException.NotSupported when the store cannot fence
   */
  public FencedDatastore(Datastore store, Supplier<Epoch> epoch) {
    if (!store.capabilities().contains(Capability.FENCED)) {
      throw new DatastoreException.NotSupported("fencing", "/", "writes there are not fenced");
    }
    this.store = store;
    this.epoch = epoch;
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> create(KeyValue<V> pair, Call call) {
    return led(pair.key().path(), call, fenced -> store.create(pair, fenced));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> update(KeyValue<V> pair, Call call) {
    return led(pair.key().path(), call, fenced -> store.update(pair, fenced));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> apply(KeyValue<V> pair, Call call) {
    return led(pair.key().path(), call, fenced -> store.apply(pair, fenced));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> delete(Key<V> key, Revision revision, Call call) {
    return led(key.path(), call, fenced -> store.delete(key, revision, fenced));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> deleteKvp(KeyValue<V> pair, Call call) {
    return led(pair.key().path(), call, fenced -> store.deleteKvp(pair, fenced));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> get(Key<V> key, Revision revision, Call call) {
    return store.get(key, revision, call);
  }

  @Override
  public <V> CompletionStage<KeyValueList<V>> list(
      ListOptions<V> options, Revision revision, Call call) {
    return store.list(options, revision, call);
  }

  @Override
  public CompletionStage<Revision> commit(List<Guard> guards, List<Write> writes, Call call) {
    String about = writes.isEmpty() ? "" : writes.get(0).key().path();
    return led(about, call, fenced -> store.commit(guards, writes, fenced));
  }

  @Override
  public <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer) {
    return store.watch(options, revision, observer);
  }

  @Override
  public CompletionStage<Void> ensureInitialized(Call call) {
    return store.ensureInitialized(call);
  }

  @Override
  public CompletionStage<Void> clean(Call call) {
    return led("/", call, store::clean);
  }

  @Override
  public Set<Capability> capabilities() {
    return store.capabilities();
  }

  @Override
  public void close() {
    store.close();
  }

  /** A call that has an epoch of its own keeps it when it is older: nobody gains by asking here. */
  private <T> CompletionStage<T> led(
      String about, Call call, java.util.function.Function<Call, CompletionStage<T>> write) {
    Epoch now = epoch.get();
    if (now.equals(Epoch.NONE)) {
      return CompletableFuture.failedFuture(new DatastoreException.Fenced(about));
    }
    boolean older = !call.epoch().equals(Epoch.NONE) && call.epoch().compareTo(now) < 0;
    return write.apply(older ? call : call.under(now));
  }
}
