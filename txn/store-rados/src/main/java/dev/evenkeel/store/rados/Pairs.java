package dev.evenkeel.store.rados;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The verbs for single pairs. A create, and an update whose revision and uid are given, are one
 * operation; the others read first. What is refused is told from what is there then. Any thread.
 */
final class Pairs {
  private final Cluster cluster;
  private final Layout layout;
  private final Records records;
  private final Fence fence;
  private final Codecs codecs;
  private final Foreigners foreigners;
  private final Trees trees;
  private final Batches batches;

  Pairs(
      Cluster cluster,
      Layout layout,
      Records records,
      Fence fence,
      Codecs codecs,
      Foreigners foreigners) {
    this.cluster = cluster;
    this.layout = layout;
    this.records = records;
    this.fence = fence;
    this.codecs = codecs;
    this.foreigners = foreigners;
    this.trees = new Trees(cluster, layout, records, this);
    this.batches = new Batches(cluster, layout, records, fence, codecs, this);
  }

  <V> CompletableFuture<KeyValue<V>> create(KeyValue<V> pair, Limit limit) {
    Written value = written("create", pair);
    Spot spot = layout.spot(pair.key());
    return records.change(
        limit,
        limit.call().epoch(),
        spot.home(),
        List.of(spot),
        Optional.of(put(spot, pair, value, Optional.empty())),
        seen -> {
          Optional<Entry> there = seen.entry(spot);
          if (there.isPresent()) {
            throw new DatastoreException.AlreadyExists(spot.path(), known(pair.key(), there));
          }
          return put(spot, pair, value, there);
        });
  }

  <V> CompletableFuture<KeyValue<V>> update(KeyValue<V> pair, Limit limit) {
    Written value = written("update", pair);
    Spot spot = layout.spot(pair.key());
    boolean conditional = Revisions.isCondition(pair.revision());
    return records.change(
        limit,
        limit.call().epoch(),
        spot.home(),
        List.of(spot),
        conditional ? assumed(spot, pair, value) : Optional.empty(),
        seen -> {
          Optional<Entry> there = seen.entry(spot);
          if (there.isEmpty()) {
            throw new DatastoreException.DoesNotExist(spot.path());
          }
          check(pair.key(), there, pair.revision());
          return put(spot, pair, value, there);
        });
  }

  <V> CompletableFuture<KeyValue<V>> apply(KeyValue<V> pair, Limit limit) {
    Written value = written("apply", pair);
    Spot spot = layout.spot(pair.key());
    boolean conditional = Revisions.isCondition(pair.revision());
    return records.change(
        limit,
        limit.call().epoch(),
        spot.home(),
        List.of(spot),
        conditional ? assumed(spot, pair, value) : Optional.empty(),
        seen -> {
          check(pair.key(), seen.entry(spot), pair.revision());
          return put(spot, pair, value, seen.entry(spot));
        });
  }

  <V> CompletableFuture<KeyValue<V>> delete(
      Key<V> key, Revision revision, Optional<String> uid, Limit limit) {
    boolean unused = Revisions.isCondition(revision);
    if (!key.deletePath().equals(key.path()) || !key.parents().isEmpty()) {
      return trees.delete(key, revision, uid, limit);
    }
    Spot spot = layout.spot(key);
    return records.change(
        limit,
        limit.call().epoch(),
        spot.home(),
        List.of(spot),
        Optional.empty(),
        seen -> {
          Optional<Entry> there = seen.entry(spot);
          checkDelete(key, there, revision, uid);
          return removal(spot, there.orElseThrow(), before(key, there));
        });
  }

  <V> CompletableFuture<KeyValue<V>> get(Key<V> key) {
    Spot spot = layout.spot(key);
    return records
        .get(spot)
        .thenApply(
            there ->
                there
                    .orElseThrow(() -> new DatastoreException.DoesNotExist(spot.path()))
                    .pair(key, codecs, foreigners.of(key)));
  }

  CompletableFuture<Revision> commit(List<Guard> guards, List<Write> writes, Limit limit) {
    return batches.commit(guards, writes, limit);
  }

  /** Removes every object of the store's, one by one. */
  CompletableFuture<Boolean> clean(Limit limit) {
    return cluster
        .onWorker(fence::objects)
        .thenCompose(
            objects -> {
              CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
              for (Home home : objects) {
                all = all.thenCompose(done -> cleaned(home, limit));
              }
              return all;
            })
        .thenApply(
            done -> {
              fence.forgetAll();
              return done;
            });
  }

  private CompletableFuture<Boolean> cleaned(Home home, Limit limit) {
    limit.check();
    return cluster
        .write(home, new WriteOp().remove())
        .thenApply(
            reply -> {
              if (reply.code() < 0 && reply.code() != Code.ABSENT) {
                throw Code.failure(home.object(), reply.code());
              }
              return true;
            });
  }

  /** An update of a pair that was read: it need not be read again. */
  private <V> Optional<Change<KeyValue<V>>> assumed(Spot spot, KeyValue<V> pair, Written value) {
    boolean whole = pair.uid().isPresent() && pair.revision().text().indexOf('-') > 0;
    return whole
        ? Optional.of(
            put(
                spot,
                pair,
                value,
                Optional.of(
                    new Entry(
                        spot,
                        bytes(pair.revision().text()),
                        bytes(pair.uid().get()),
                        new TreeMap<>()))))
        : Optional.empty();
  }

  /** Writes a value over what is there, if it is still there then. */
  <V> Change<KeyValue<V>> put(Spot spot, KeyValue<V> pair, Written value, Optional<Entry> there) {
    String token = cluster.token();
    String uid = there.flatMap(Entry::uid).orElse(token);
    KeyValue<V> result =
        new KeyValue<>(
            pair.key(), pair.value(), new Revision(token), Optional.of(uid), Optional.empty());
    return new Change<>(
        op -> {
          mustBe(op, spot, there);
          fill(op, spot, value, there, token);
        },
        there.isEmpty(),
        result,
        isNow(spot, token),
        List.of(spot.path()));
  }

  static Predicate<Seen> isNow(Spot spot, String token) {
    return seen -> seen.entry(spot).filter(now -> now.revision().text().equals(token)).isPresent();
  }

  static void fill(WriteOp op, Spot spot, Written value, Optional<Entry> there, String token) {
    Map<String, byte[]> more = new TreeMap<>();
    more.put(spot.head(), bytes(token));
    if (there.flatMap(Entry::uid).isEmpty()) {
      more.put(spot.uid(), bytes(token));
    }
    value.fill(spot, op, there.isEmpty(), more);
  }

  static void mustBe(WriteOp op, Spot spot, Optional<Entry> there) {
    if (there.isPresent()) {
      there.get().mustBe(op);
      return;
    }
    op.absent(spot.head());
    spot.fixed().values().forEach(op::absent);
  }

  /** Takes away what is there, if it is still there then. */
  static <T> Change<T> removal(Spot spot, Entry there, T result) {
    return new Change<>(
        op -> {
          there.mustBe(op);
          spot.clear(op);
        },
        false,
        result,
        seen -> seen.entry(spot).isEmpty(),
        List.of(spot.path()));
  }

  <V> void checkDelete(Key<V> key, Optional<Entry> there, Revision revision, Optional<String> uid) {
    boolean another = uid.isPresent() && !uid.equals(there.flatMap(Entry::uid));
    if (there.isEmpty() || another) {
      throw new DatastoreException.DoesNotExist(key.path());
    }
    check(key, there, revision);
  }

  void check(Key<?> key, Optional<Entry> there, Revision wanted) {
    require(
        key,
        there,
        !Revisions.isCondition(wanted)
            || there.filter(entry -> entry.revision().equals(wanted)).isPresent());
  }

  void require(Key<?> key, Optional<Entry> there, boolean holds) {
    if (!holds) {
      throw new DatastoreException.UpdateConflict(key.path(), known(key, there));
    }
  }

  private Optional<KeyValue<?>> known(Key<?> key, Optional<Entry> there) {
    return there.flatMap(entry -> entry.tryPair(key, codecs, foreigners.of(key))).map(pair -> pair);
  }

  /** The pair as it was, for who has removed it. */
  <V> KeyValue<V> before(Key<V> key, Optional<Entry> there) {
    return there
        .map(
            entry ->
                entry
                    .tryPair(key, codecs, foreigners.of(key))
                    .orElseGet(() -> entry.pair(key, Optional.<V>empty())))
        .orElseGet(
            () ->
                new KeyValue<>(
                    key, Optional.empty(), Revision.NONE, Optional.empty(), Optional.empty()));
  }

  private <V> Written written(String verb, KeyValue<V> pair) {
    String path = pair.key().path();
    if (pair.ttl().isPresent()) {
      throw new DatastoreException.NotSupported(verb, path, "values here do not expire");
    }
    V value =
        pair.value()
            .orElseThrow(
                () -> InvalidInputException.of(verb + " of " + path, "value", "", "is missing"));
    return Written.of(pair.key().type(), path, value, codecs);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The epoch of a batch: the one of the call and those of its guards. */
  static Epoch newest(Epoch one, Epoch other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
