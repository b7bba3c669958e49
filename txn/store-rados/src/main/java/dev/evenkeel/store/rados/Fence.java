package dev.evenkeel.store.rados;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.datastore.DatastoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the epochs of single objects one fence around the whole store. A new epoch is first noted
 * in one object of its own, then in every object that there is; from then on a write of an older
 * epoch fails in each. An object that is still to come has no epoch. So who has an epoch makes it
 * first, empty but for its epoch, then looks at what is noted, and writes into it last: it was
 * there when the newer epoch was noted in all, or the newer epoch is seen now. Any thread.
 */
final class Fence {
  private static final int MOST_PREPARED = 10_000;
  private final Cluster cluster;
  private final Home home;
  private final Set<Home> prepared = ConcurrentHashMap.newKeySet();
  private Epoch raised = Epoch.NONE;
  private CompletableFuture<Void> raising = CompletableFuture.completedFuture(null);

  Fence(Cluster cluster, Home home) {
    this.cluster = cluster;
    this.home = home;
  }

  /** Forgets what is known to be there. */
  void forget(Home gone) {
    prepared.remove(gone);
  }

  synchronized void forgetAll() {
    prepared.clear();
    raised = Epoch.NONE;
  }

  /** Notes an epoch wherever it must be, before the first write under it. */
  CompletableFuture<Void> raise(String about, Epoch epoch) {
    synchronized (this) {
      if (epoch.compareTo(raised) <= 0) {
        return CompletableFuture.completedFuture(null);
      }
      raising =
          raising
              .handle((done, failed) -> Boolean.TRUE)
              .thenCompose(before -> note(about, epoch))
              .thenAccept(done -> raisedTo(epoch));
      return raising;
    }
  }

  private synchronized void raisedTo(Epoch epoch) {
    if (epoch.compareTo(raised) > 0) {
      raised = epoch;
      prepared.clear();
    }
  }

  private CompletableFuture<Void> note(String about, Epoch epoch) {
    WriteOp op = new WriteOp().create();
    Seen.guard(op, epoch);
    return cluster
        .write(home, op)
        .thenCompose(
            reply -> {
              check(about, reply.code(), false);
              return cluster.onWorker(this::objects);
            })
        .thenCompose(
            objects -> {
              CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
              for (Home each : objects) {
                all = all.thenCompose(done -> noteIn(about, each, epoch));
              }
              return all;
            });
  }

  private CompletableFuture<Void> noteIn(String about, Home each, Epoch epoch) {
    WriteOp op = new WriteOp().mustExist();
    Seen.guard(op, epoch);
    return cluster.write(each, op).thenAccept(reply -> check(about, reply.code(), true));
  }

  private static void check(String about, int code, boolean mayBeGone) {
    if (code == Code.CANCELLED) {
      throw new DatastoreException.Fenced(about);
    }
    if (code < 0 && !(mayBeGone && code == Code.ABSENT)) {
      throw Code.failure(about, code);
    }
  }

  /** Makes an object, if it is not there, before something is written into it under an epoch. */
  CompletableFuture<Void> prepare(String about, Home target, Epoch epoch) {
    if (prepared.contains(target)) {
      return CompletableFuture.completedFuture(null);
    }
    WriteOp op = new WriteOp().createNew();
    Seen.guard(op, epoch);
    return cluster
        .write(target, op)
        .thenCompose(
            made -> {
              if (made.code() == Code.EXISTS) {
                return CompletableFuture.completedFuture(Epoch.NONE);
              }
              check(about, made.code(), false);
              return noted(about);
            })
        .thenCompose(
            known -> {
              if (known.compareTo(epoch) > 0) {
                return unmake(target, epoch).thenApply(done -> refuse(about));
              }
              if (prepared.size() < MOST_PREPARED) {
                prepared.add(target);
              }
              return CompletableFuture.<Void>completedFuture(null);
            });
  }

  private static Void refuse(String about) {
    throw new CompletionException(new DatastoreException.Fenced(about));
  }

  /** An object made in vain goes, unless somebody has used it meanwhile. */
  private CompletableFuture<Reply> unmake(Home target, Epoch epoch) {
    return cluster
        .read(target, new ReadOp().page(new byte[0], "", 2))
        .thenCompose(
            seen ->
                seen.code() == 0 && seen.parts().get(0).entries().size() == 1
                    ? cluster.write(
                        target,
                        new WriteOp()
                            .atVersion(seen.version())
                            .equal(Seen.EPOCH, Seen.stored(epoch.number()))
                            .remove())
                    : CompletableFuture.completedFuture(seen));
  }

  /** The newest epoch that is noted. */
  CompletableFuture<Epoch> noted(String about) {
    return cluster
        .read(home, new ReadOp().keys(List.of(Seen.EPOCH)))
        .thenApply(
            reply -> {
              if (reply.code() == Code.ABSENT) {
                return Epoch.NONE;
              }
              if (reply.code() < 0) {
                throw Code.failure(about, reply.code());
              }
              return reply.parts().get(0).entries().stream()
                  .findFirst()
                  .map(found -> Seen.epoch(java.util.Map.of(Seen.EPOCH, found.value())))
                  .orElse(Epoch.NONE);
            });
  }

  /** All objects of the store. Waits; for workers. */
  List<Home> objects() {
    List<Home> all = new ArrayList<>();
    for (String pool : cluster.pools()) {
      for (String name : names(cluster.io(pool))) {
        if (Layout.OWN.stream().anyMatch(name::startsWith)) {
          all.add(new Home(pool, name));
        }
      }
    }
    return all;
  }

  /** Names of all objects in a pool's namespace. Waits; for workers. */
  static List<String> names(Pointer io) {
    List<String> names = new ArrayList<>();
    try (Memory cells = new Memory(6L * Long.BYTES)) {
      int code = Librados.rados_nobjects_list_open(io, cells);
      if (code < 0) {
        throw Code.failure("a list of objects", code);
      }
      Pointer list = cells.getPointer(0);
      try {
        while ((code = next(list, cells)) >= 0) {
          int length = Math.toIntExact(cells.getLong(3L * Long.BYTES));
          byte[] name = cells.getPointer(0).getByteArray(0, length);
          names.add(new String(name, java.nio.charset.StandardCharsets.UTF_8));
        }
      } finally {
        Librados.rados_nobjects_list_close(list);
      }
      if (code != Code.ABSENT) {
        throw Code.failure("a list of objects", code);
      }
    }
    return names;
  }

  private static int next(Pointer list, Memory cells) {
    return Librados.rados_nobjects_list_next2(
        list,
        cells,
        cells.share(Long.BYTES),
        cells.share(2L * Long.BYTES),
        cells.share(3L * Long.BYTES),
        cells.share(4L * Long.BYTES),
        cells.share(5L * Long.BYTES));
  }
}
