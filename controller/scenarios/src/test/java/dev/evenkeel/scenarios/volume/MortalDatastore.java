package dev.evenkeel.scenarios.volume;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Datastore;
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

/** A datastore whose client can die around each write. */
record MortalDatastore(Datastore inner, Life life) implements Datastore {
  private <T> CompletionStage<T> write(Supplier<CompletionStage<T>> call) {
    try {
      life.point("before a write");
    } catch (RuntimeException dead) {
      return CompletableFuture.failedStage(dead);
    }
    return call.get()
        .thenApply(
            done -> {
              life.point("after a write");
              return done;
            });
  }

  private <T> CompletionStage<T> read(Supplier<CompletionStage<T>> call) {
    try {
      life.look();
    } catch (RuntimeException dead) {
      return CompletableFuture.failedStage(dead);
    }
    return call.get();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> create(KeyValue<V> pair, Call call) {
    return write(() -> inner.create(pair, call));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> update(KeyValue<V> pair, Call call) {
    return write(() -> inner.update(pair, call));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> apply(KeyValue<V> pair, Call call) {
    return write(() -> inner.apply(pair, call));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> delete(Key<V> key, Revision revision, Call call) {
    return write(() -> inner.delete(key, revision, call));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> deleteKvp(KeyValue<V> pair, Call call) {
    return write(() -> inner.deleteKvp(pair, call));
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> get(Key<V> key, Revision revision, Call call) {
    return read(() -> inner.get(key, revision, call));
  }

  @Override
  public <V> CompletionStage<KeyValueList<V>> list(
      ListOptions<V> options, Revision revision, Call call) {
    return read(() -> inner.list(options, revision, call));
  }

  @Override
  public CompletionStage<Revision> commit(List<Guard> guards, List<Write> writes, Call call) {
    return write(() -> inner.commit(guards, writes, call));
  }

  @Override
  public <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer) {
    return inner.watch(options, revision, observer);
  }

  @Override
  public CompletionStage<Void> ensureInitialized(Call call) {
    return inner.ensureInitialized(call);
  }

  @Override
  public CompletionStage<Void> clean(Call call) {
    return inner.clean(call);
  }

  @Override
  public Set<Capability> capabilities() {
    return inner.capabilities();
  }

  @Override
  public void close() {
    // Outlives the process.
  }
}
