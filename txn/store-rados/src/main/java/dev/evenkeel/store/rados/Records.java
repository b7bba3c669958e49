package dev.evenkeel.store.rados;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.datastore.DatastoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Reads and changes records of single objects. A change compares what it was decided on, the epoch
 * among it, in the same operation that makes it; when that does not hold any more it is decided
 * anew. Any thread.
 */
final class Records {
  /** Most fields of a record: it is read in one page of the cluster's. */
  static final int MOST_FIELDS = 1_000;

  private static final int PAGE = 1_024;
  private final Cluster cluster;
  private final Fence fence;
  private final BiConsumer<Home, List<String>> changed;

  Records(Cluster cluster, Fence fence, BiConsumer<Home, List<String>> changed) {
    this.cluster = cluster;
    this.fence = fence;
    this.changed = changed;
  }

  /** The record of one spot, and nothing else: for who will not change it. */
  CompletableFuture<Optional<Entry>> get(Spot spot) {
    ReadOp op = new ReadOp().page(new byte[0], spot.head(), PAGE);
    if (!spot.fixed().isEmpty()) {
      op.keys(List.copyOf(spot.fixed().values()));
    }
    return cluster
        .readBriefly(spot.home(), op)
        .thenApply(
            reply -> {
              if (reply.code() < 0 && reply.code() != Code.ABSENT) {
                throw Code.failure(spot.path(), reply.code());
              }
              Map<String, byte[]> found = new TreeMap<>();
              reply
                  .parts()
                  .forEach(part -> part.entries().forEach(e -> found.put(e.name(), e.value())));
              return reply.code() == Code.ABSENT ? Optional.empty() : spot.entry(found);
            });
  }

  /** The records of these spots of one object. */
  CompletableFuture<Seen> read(Home home, List<Spot> spots) {
    return read(cluster, home, spots);
  }

  /** The same, of any cluster. */
  static CompletableFuture<Seen> read(Cluster cluster, Home home, List<Spot> spots) {
    ReadOp op = new ReadOp().keys(List.of(Seen.EPOCH));
    spots.forEach(spot -> spot.read(op, PAGE));
    return cluster.read(home, op).thenApply(reply -> seen(home, spots, reply));
  }

  private static Seen seen(Home home, List<Spot> spots, Reply reply) {
    if (reply.code() == Code.ABSENT) {
      return new Seen(Map.of(), Epoch.NONE, 0);
    }
    if (reply.code() < 0) {
      throw Code.failure(about(home, spots), reply.code());
    }
    Map<String, Entry> entries = new HashMap<>();
    for (int i = 0; i < spots.size(); i++) {
      Map<String, byte[]> found = new TreeMap<>();
      for (int part = 1 + 2 * i; part <= 2 + 2 * i; part++) {
        reply.parts().get(part).entries().forEach(e -> found.put(e.name(), e.value()));
      }
      Spot spot = spots.get(i);
      spot.entry(found).ifPresent(entry -> entries.put(spot.path(), entry));
    }
    Map<String, byte[]> first = new HashMap<>();
    reply.parts().get(0).entries().forEach(e -> first.put(e.name(), e.value()));
    return new Seen(entries, Seen.epoch(first), reply.version());
  }

  private static String about(Home home, List<Spot> spots) {
    return spots.isEmpty() ? home.object() : spots.get(0).path();
  }

  /**
   * Changes records of one object.
   *
   * @param assumed what is tried first, without reading; empty to read first
   * @param decision what to do with what is there; throws when it is refused
   */
  <T> CompletableFuture<T> change(
      Limit limit,
      Epoch epoch,
      Home home,
      List<Spot> spots,
      Optional<Change<T>> assumed,
      Function<Seen, Change<T>> decision) {
    return new Attempts<>(limit, epoch, home, spots, decision, s -> read(home, s)).first(assumed);
  }

  /** The same, for decisions that look at more of the object than some spots. */
  <T> CompletableFuture<T> change(
      Limit limit,
      Epoch epoch,
      Home home,
      String about,
      Function<List<Spot>, CompletableFuture<Seen>> reader,
      Function<Seen, Change<T>> decision) {
    return new Attempts<>(limit, epoch, home, List.of(), decision, reader, about)
        .first(Optional.empty());
  }

  /** One change, tried until it is made or refused. */
  private final class Attempts<T> {
    private final Limit limit;
    private final Epoch epoch;
    private final Home home;
    private final List<Spot> spots;
    private final Function<Seen, Change<T>> decision;
    private final Function<List<Spot>, CompletableFuture<Seen>> reader;
    private final String about;
    private int tries;

    Attempts(
        Limit limit,
        Epoch epoch,
        Home home,
        List<Spot> spots,
        Function<Seen, Change<T>> decision,
        Function<List<Spot>, CompletableFuture<Seen>> reader) {
      this(limit, epoch, home, spots, decision, reader, about(home, spots));
    }

    Attempts(
        Limit limit,
        Epoch epoch,
        Home home,
        List<Spot> spots,
        Function<Seen, Change<T>> decision,
        Function<List<Spot>, CompletableFuture<Seen>> reader,
        String about) {
      this.limit = limit;
      this.epoch = epoch;
      this.home = home;
      this.spots = spots;
      this.decision = decision;
      this.reader = reader;
      this.about = about;
    }

    CompletableFuture<T> first(Optional<Change<T>> assumed) {
      return ready().thenCompose(ready -> assumed.isPresent() ? make(assumed.get()) : decide());
    }

    private CompletableFuture<Void> ready() {
      return epoch.equals(Epoch.NONE)
          ? CompletableFuture.completedFuture(null)
          : fence.raise(about, epoch).thenCompose(raised -> fence.prepare(about, home, epoch));
    }

    private CompletableFuture<T> decide() {
      limit.check();
      return reader
          .apply(spots)
          .thenCompose(
              seen -> {
                seen.checkEpoch(about, epoch);
                Change<T> change = decision.apply(seen);
                return change.isNone()
                    ? CompletableFuture.completedFuture(change.result())
                    : make(change);
              });
    }

    private CompletableFuture<T> make(Change<T> change) {
      limit.check();
      WriteOp op = new WriteOp();
      if (!epoch.equals(Epoch.NONE)) {
        op.mustExist();
        Seen.guard(op, epoch);
      } else if (change.makes()) {
        op.create();
      }
      change.fill().accept(op);
      return cluster.write(home, op).thenCompose(reply -> made(change, reply.code()));
    }

    private CompletableFuture<T> made(Change<T> change, int code) {
      if (code == 0) {
        changed.accept(home, change.paths());
        return CompletableFuture.completedFuture(change.result());
      }
      if (Code.isMismatch(code)) {
        return again(code);
      }
      if (code == Code.TIMED_OUT) {
        return lookBack(change);
      }
      throw Code.failure(about, code);
    }

    private CompletableFuture<T> again(int code) {
      if (cluster.isClosed()) {
        throw Cluster.closed();
      }
      if (code == Code.ABSENT) {
        fence.forget(home);
      }
      tries++;
      return pause(tries)
          .thenCompose(paused -> code == Code.ABSENT ? ready() : paused())
          .thenCompose(ready -> decide());
    }

    private CompletableFuture<Void> paused() {
      return CompletableFuture.completedFuture(null);
    }

    /** The answer was lost, and with it whether the change was made. */
    private CompletableFuture<T> lookBack(Change<T> change) {
      return cluster
          .onWorker(cluster::refresh)
          .thenCompose(current -> reader.apply(spots))
          .handle(
              (seen, failed) -> {
                if (seen != null && change.happened().test(seen)) {
                  changed.accept(home, change.paths());
                  return change.result();
                }
                throw new DatastoreException.PartialFailure(about, null);
              });
    }
  }

  /**
   * At once the first times; then a little later each time, for those who get in each other's way.
   */
  private CompletableFuture<Void> pause(int tries) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    if (tries <= 3) {
      over.complete(null);
    } else {
      var unused =
          cluster
              .timer()
              .schedule(() -> cluster.resume(over), Math.min(20, tries), TimeUnit.MILLISECONDS);
    }
    return over;
  }
}
