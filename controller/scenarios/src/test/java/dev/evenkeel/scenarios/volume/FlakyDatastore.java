package dev.evenkeel.scenarios.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
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
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A datastore of which one in so many calls fails: a read, a write before it is done, or one that
 * has been done.
 */
final class FlakyDatastore implements Datastore {
  private final Datastore inner;
  private final Random random;
  private final int oneIn;
  private boolean healed;

  FlakyDatastore(Datastore inner, Random random, int oneIn) {
    this.inner = inner;
    this.random = random;
    this.oneIn = oneIn;
  }

  /** No more failures. */
  synchronized void heal() {
    healed = true;
  }

  private synchronized boolean fails() {
    return !healed && random.nextInt(oneIn) == 0;
  }

  private static <T> CompletionStage<T> failed() {
    return CompletableFuture.failedStage(
        new EvenkeelException(ErrorKind.UNAVAILABLE, "the store does not answer"));
  }

  private <T> CompletionStage<T> write(Supplier<CompletionStage<T>> call) {
    return fails()
        ? failed()
        : call.get()
            .thenCompose(done -> fails() ? failed() : CompletableFuture.completedStage(done));
  }

  private <T> CompletionStage<T> read(Supplier<CompletionStage<T>> call) {
    return fails() ? failed() : call.get();
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
