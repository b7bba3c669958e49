package dev.evenkeel.controller.recording;

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
import java.util.concurrent.CompletionStage;

/** Stands where a replay must not read or write. */
final class NoDatastore implements Datastore {
  private static IllegalStateException never() {
    return new IllegalStateException("a replay neither reads nor writes a datastore");
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> create(KeyValue<V> pair, Call call) {
    throw never();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> update(KeyValue<V> pair, Call call) {
    throw never();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> apply(KeyValue<V> pair, Call call) {
    throw never();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> delete(Key<V> key, Revision revision, Call call) {
    throw never();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> deleteKvp(KeyValue<V> pair, Call call) {
    throw never();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> get(Key<V> key, Revision revision, Call call) {
    throw never();
  }

  @Override
  public <V> CompletionStage<KeyValueList<V>> list(
      ListOptions<V> options, Revision revision, Call call) {
    throw never();
  }

  @Override
  public CompletionStage<Revision> commit(List<Guard> guards, List<Write> writes, Call call) {
    throw never();
  }

  @Override
  public <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer) {
    throw never();
  }

  @Override
  public CompletionStage<Void> ensureInitialized(Call call) {
    throw never();
  }

  @Override
  public CompletionStage<Void> clean(Call call) {
    throw never();
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public void close() {}
}
