package dev.evenkeel.store.rados;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Batches of guards and writes; within one object, as more is not atomic. Any thread. */
final class Batches {
  private static final int MOST = 128;

  private final Cluster cluster;
  private final Layout layout;
  private final Records records;
  private final Fence fence;
  private final Codecs codecs;
  private final Pairs pairs;

  Batches(
      Cluster cluster, Layout layout, Records records, Fence fence, Codecs codecs, Pairs pairs) {
    this.cluster = cluster;
    this.layout = layout;
    this.records = records;
    this.fence = fence;
    this.codecs = codecs;
    this.pairs = pairs;
  }

  CompletableFuture<Revision> commit(List<Guard> guards, List<Write> writes, Limit limit) {
    if (writes.size() > MOST || guards.size() > MOST) {
      throw InvalidInputException.of(
          "commit", "writes", "", "must be at most " + MOST + " writes and guards");
    }
    String about = writes.isEmpty() ? about(guards) : writes.get(0).key().path();
    SortedMap<String, Spot> spots = new TreeMap<>();
    SortedMap<String, Written> values = new TreeMap<>();
    writes.forEach(write -> take(write, spots, values));
    Epoch epoch = limit.call().epoch();
    Epoch oldest = epoch;
    for (Guard guard : guards) {
      if (guard instanceof Guard.Leader leader) {
        oldest = oldest.equals(Epoch.NONE) ? leader.epoch() : older(oldest, leader.epoch());
        epoch = Pairs.newest(epoch, leader.epoch());
      } else {
        Key<?> key = key(guard);
        spots.putIfAbsent(key.path(), layout.spot(key));
      }
    }
    List<Spot> all = List.copyOf(spots.values());
    if (all.stream().map(Spot::home).distinct().count() > 1) {
      throw new DatastoreException.NotSupported(
          "commit", about, "its keys lie in several objects, and only one is atomic");
    }
    if (oldest.compareTo(epoch) < 0) {
      throw new DatastoreException.Fenced(about);
    }
    return all.isEmpty()
        ? leaderAlone(about, epoch)
        : commit(guards, writes, values, all, epoch, limit);
  }

  private CompletableFuture<Revision> commit(
      List<Guard> guards,
      List<Write> writes,
      Map<String, Written> values,
      List<Spot> spots,
      Epoch epoch,
      Limit limit) {
    return records.change(
        limit,
        epoch,
        spots.get(0).home(),
        spots,
        Optional.empty(),
        seen -> {
          guards.forEach(guard -> check(guard, seen));
          return writes.isEmpty()
              ? Change.none(new Revision(cluster.token()))
              : change(writes, values, spots, seen);
        });
  }

  private Change<Revision> change(
      List<Write> writes, Map<String, Written> values, List<Spot> spots, Seen seen) {
    String token = cluster.token();
    List<String> written = writes.stream().map(write -> write.key().path()).toList();
    return new Change<>(
        op -> {
          // First, since what an operation sets on an object that it makes disturbs what it
          // compares.
          spots.forEach(spot -> Pairs.mustBe(op, spot, seen.entry(spot)));
          spots.forEach(spot -> write(op, spot, values, written, seen, token));
        },
        values.keySet().stream().anyMatch(path -> !seen.entries().containsKey(path)),
        new Revision(token),
        now -> happened(writes, values, now, token),
        written);
  }

  private static void write(
      WriteOp op,
      Spot spot,
      Map<String, Written> values,
      List<String> written,
      Seen seen,
      String token) {
    Written value = values.get(spot.path());
    if (value != null) {
      Pairs.fill(op, spot, value, seen.entry(spot), token);
    } else if (written.contains(spot.path()) && seen.entry(spot).isPresent()) {
      spot.clear(op);
    }
  }

  private static boolean happened(
      List<Write> writes, Map<String, Written> values, Seen now, String token) {
    return writes.stream()
        .allMatch(
            write -> {
              Optional<Entry> there = Optional.ofNullable(now.entries().get(write.key().path()));
              return values.containsKey(write.key().path())
                  ? there.filter(entry -> entry.revision().text().equals(token)).isPresent()
                  : there.isEmpty();
            });
  }

  private CompletableFuture<Revision> leaderAlone(String about, Epoch epoch) {
    return fence
        .noted(about)
        .thenApply(
            known -> {
              new Seen(Map.of(), known, 0).checkEpoch(about, epoch);
              return new Revision(cluster.token());
            });
  }

  private void take(Write write, Map<String, Spot> spots, Map<String, Written> values) {
    String path = write.key().path();
    if (spots.put(path, layout.spot(write.key())) != null) {
      throw InvalidInputException.of("commit", path, "", "must be written once at most");
    }
    if (write instanceof Write.Put<?> put) {
      values.put(path, written(put));
    }
  }

  private <V> Written written(Write.Put<V> put) {
    return Written.of(put.key().type(), put.key().path(), put.value(), codecs);
  }

  private void check(Guard guard, Seen seen) {
    if (guard instanceof Guard.Leader) {
      return;
    }
    Key<?> key = key(guard);
    Optional<Entry> there = Optional.ofNullable(seen.entries().get(key.path()));
    boolean holds =
        guard instanceof Guard.At at
            ? there.filter(entry -> entry.revision().equals(at.revision())).isPresent()
            : there.isPresent() == (guard instanceof Guard.Exists);
    pairs.require(key, there, holds);
  }

  private static Key<?> key(Guard guard) {
    if (guard instanceof Guard.At at) {
      var unused = Revisions.isCondition(at.revision());
      return at.key();
    }
    if (guard instanceof Guard.Absent absent) {
      return absent.key();
    }
    if (guard instanceof Guard.Exists exists) {
      return exists.key();
    }
    throw new IllegalArgumentException("a guard without a key");
  }

  private static String about(List<Guard> guards) {
    return guards.stream()
        .filter(guard -> !(guard instanceof Guard.Leader))
        .findFirst()
        .map(guard -> key(guard).path())
        .orElse("");
  }

  private static Epoch older(Epoch one, Epoch other) {
    return other.equals(Epoch.NONE) || one.compareTo(other) <= 0 ? one : other;
  }
}
