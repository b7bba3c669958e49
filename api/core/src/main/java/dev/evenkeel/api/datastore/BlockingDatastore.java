package dev.evenkeel.api.datastore;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A datastore as calls that wait. For steps, loaders and tests; any thread but the loop's. Each
 * method throws what the stage of the same name completes with.
 */
public final class BlockingDatastore {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final Datastore store;

  BlockingDatastore(Datastore store) {
    this.store = store;
  }

  /** As {@link Datastore#create}. */
  public <V> KeyValue<V> create(KeyValue<V> pair, Call call) {
    return await(store.create(pair, call), call);
  }

  /** As {@link Datastore#update}. */
  public <V> KeyValue<V> update(KeyValue<V> pair, Call call) {
    return await(store.update(pair, call), call);
  }

  /** As {@link Datastore#apply}. */
  public <V> KeyValue<V> apply(KeyValue<V> pair, Call call) {
    return await(store.apply(pair, call), call);
  }

  /** As {@link Datastore#delete}. */
  public <V> KeyValue<V> delete(Key<V> key, Revision revision, Call call) {
    return await(store.delete(key, revision, call), call);
  }

  /** As {@link Datastore#deleteKvp}. */
  public <V> KeyValue<V> deleteKvp(KeyValue<V> pair, Call call) {
    return await(store.deleteKvp(pair, call), call);
  }

  /** As {@link Datastore#get} at the latest revision. */
  public <V> KeyValue<V> get(Key<V> key, Call call) {
    return await(store.get(key, Revision.NONE, call), call);
  }

  /** As {@link Datastore#get} at a revision. */
  public <V> KeyValue<V> get(Key<V> key, Revision revision, Call call) {
    return await(store.get(key, revision, call), call);
  }

  /** The pair of a key, or empty when it does not exist. */
  public <V> Optional<KeyValue<V>> find(Key<V> key, Call call) {
    try {
      return Optional.of(get(key, call));
    } catch (DatastoreException.DoesNotExist absent) {
      return Optional.empty();
    }
  }

  /** As {@link Datastore#list} at the latest revision. */
  public <V> KeyValueList<V> list(ListOptions<V> options, Call call) {
    return await(store.list(options, Revision.NONE, call), call);
  }

  /** As {@link Datastore#list} at a revision. */
  public <V> KeyValueList<V> list(ListOptions<V> options, Revision revision, Call call) {
    return await(store.list(options, revision, call), call);
  }

  /** As {@link Datastore#commit}. */
  public Revision commit(List<Guard> guards, List<Write> writes, Call call) {
    return await(store.commit(guards, writes, call), call);
  }

  /** As {@link Datastore#ensureInitialized}. */
  public void ensureInitialized(Call call) {
    finish(store.ensureInitialized(call), call);
  }

  /** As {@link Datastore#clean}. */
  public void clean(Call call) {
    finish(store.clean(call), call);
  }

  private static void finish(CompletionStage<Void> stage, Call call) {
    var unused = await(stage.thenApply(done -> Boolean.TRUE), call);
  }

  private static <T> T await(CompletionStage<T> stage, Call call) {
    Duration limit = call.limit().orElse(LONGEST);
    try {
      return stage.toCompletableFuture().get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof EvenkeelException known) {
        throw known;
      }
      throw DatastoreException.failed("", "the datastore failed", failed.getCause());
    } catch (TimeoutException late) {
      call.cancel();
      throw new EvenkeelException(
          ErrorKind.DEADLINE_EXCEEDED, "the datastore has not answered within " + limit, late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      call.cancel();
      throw new EvenkeelException(
          ErrorKind.CANCELLED, "interrupted while waiting for the datastore", interrupted);
    }
  }
}
