package dev.evenkeel.txn.operation;

import dev.evenkeel.api.EvenkeelException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A map with revisions; with or without batches; each write is one effect that may fail. */
final class FakeStore implements Datastore {
  final TreeMap<String, Entry> data = new TreeMap<>();
  final List<List<Guard>> commits = new ArrayList<>();
  int writes;
  private final Faults faults;
  private final boolean batches;
  private long last;

  record Entry(Object value, Revision revision) {}

  FakeStore(Faults faults, boolean batches) {
    this.faults = faults;
    this.batches = batches;
  }

  private <T> CompletionStage<T> staged(Supplier<T> call) {
    try {
      return CompletableFuture.completedFuture(call.get());
    } catch (EvenkeelException failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  /** The stored value of a path. */
  Object at(String path) {
    Entry entry = data.get(path);
    if (entry == null) {
      throw new AssertionError("nothing at " + path);
    }
    return entry.value();
  }

  private Revision revision(Key<?> key) {
    Entry entry = data.get(key.path());
    return entry == null ? Revision.NONE : entry.revision();
  }

  private Revision write(Runnable effect) {
    writes++;
    faults.effect(
        () -> {
          last++;
          effect.run();
        });
    return new Revision("r" + last);
  }

  private void set(Key<?> key, Object value) {
    data.put(key.path(), new Entry(value, new Revision("r" + last)));
  }

  private <V> V value(KeyValue<V> pair) {
    return pair.value().orElseThrow();
  }

  private void expect(Key<?> key, Revision revision) {
    if (revision.isGiven() && !revision.equals(revision(key))) {
      throw new DatastoreException.UpdateConflict(key.path(), Optional.empty());
    }
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> create(KeyValue<V> pair, Call call) {
    return staged(
        () -> {
          if (data.containsKey(pair.key().path())) {
            throw new DatastoreException.AlreadyExists(pair.key().path(), Optional.empty());
          }
          return pair.at(write(() -> set(pair.key(), value(pair))));
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> update(KeyValue<V> pair, Call call) {
    return staged(
        () -> {
          if (!data.containsKey(pair.key().path())) {
            throw new DatastoreException.DoesNotExist(pair.key().path());
          }
          expect(pair.key(), pair.revision());
          return pair.at(write(() -> set(pair.key(), value(pair))));
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> apply(KeyValue<V> pair, Call call) {
    return staged(
        () -> {
          expect(pair.key(), pair.revision());
          return pair.at(write(() -> set(pair.key(), value(pair))));
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> delete(Key<V> key, Revision revision, Call call) {
    return staged(
        () -> {
          if (!data.containsKey(key.path())) {
            throw new DatastoreException.DoesNotExist(key.path());
          }
          expect(key, revision);
          var unused = write(() -> data.remove(key.path()));
          return new KeyValue<>(
              key, Optional.empty(), Revision.NONE, Optional.empty(), Optional.empty());
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> deleteKvp(KeyValue<V> pair, Call call) {
    return delete(pair.key(), pair.revision(), call);
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> get(Key<V> key, Revision revision, Call call) {
    return staged(
        () -> {
          Entry entry = data.get(key.path());
          if (entry == null) {
            throw new DatastoreException.DoesNotExist(key.path());
          }
          return KeyValue.of(key, key.type().valueType().cast(entry.value())).at(entry.revision());
        });
  }

  @Override
  public <V> CompletionStage<KeyValueList<V>> list(
      ListOptions<V> options, Revision revision, Call call) {
    return staged(
        () -> {
          List<KeyValue<V>> found = new ArrayList<>();
          data.forEach(
              (path, entry) ->
                  options
                      .match(path)
                      .ifPresent(
                          key ->
                              found.add(
                                  KeyValue.of(key, options.type().valueType().cast(entry.value()))
                                      .at(entry.revision()))));
          return new KeyValueList<>(found, new Revision("r" + last));
        });
  }

  @Override
  public CompletionStage<Revision> commit(List<Guard> guards, List<Write> all, Call call) {
    return staged(
        () -> {
          if (!batches) {
            throw new DatastoreException.NotSupported("commit", "", "several keys");
          }
          commits.add(List.copyOf(guards));
          guards.forEach(this::check);
          return write(() -> all.forEach(this::write));
        });
  }

  private void check(Guard guard) {
    if (guard instanceof Guard.At at) {
      if (!revision(at.key()).equals(at.revision())) {
        throw new DatastoreException.UpdateConflict(at.key().path(), Optional.empty());
      }
    } else if (guard instanceof Guard.Absent absent && data.containsKey(absent.key().path())) {
      throw new DatastoreException.UpdateConflict(absent.key().path(), Optional.empty());
    }
  }

  private void write(Write write) {
    if (write instanceof Write.Put<?> put) {
      set(put.key(), put.value());
    } else {
      data.remove(write.key().path());
    }
  }

  @Override
  public <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Void> ensureInitialized(Call call) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> clean(Call call) {
    data.clear();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public Set<Capability> capabilities() {
    return batches ? Set.of(Capability.ATOMIC_BATCH) : Set.of();
  }

  @Override
  public void close() {}
}
