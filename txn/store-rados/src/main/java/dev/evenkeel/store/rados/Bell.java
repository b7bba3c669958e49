package dev.evenkeel.store.rados;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifications on one object: who has changed something rings, who watches hears. One ring is
 * under way at a time, and what has changed meanwhile goes with the next. What is heard may come
 * twice, late, or never. Any thread; hears on the library's threads, and holds none of them up.
 */
final class Bell {
  private static final Logger LOG = LoggerFactory.getLogger(Bell.class);
  private static final int MOST_PATHS = 200;
  private static final String ALL = "*";
  private static final Map<Long, Bell> BELLS = new ConcurrentHashMap<>();
  private static final AtomicLong IDS = new AtomicLong();

  // librados may call as long as it lives, so these stay reachable for ever.
  private static final Librados.Notified NOTIFIED =
      (argument, notifyId, handle, notifier, data, length) -> {
        Bell bell = BELLS.get(Pointer.nativeValue(argument));
        if (bell != null) {
          bell.heard(notifyId, handle, notifier, data, length);
        }
      };
  private static final Librados.Lost LOST =
      (argument, handle, error) -> {
        Bell bell = BELLS.get(Pointer.nativeValue(argument));
        if (bell != null) {
          bell.lost(error);
        }
      };

  private final Cluster cluster;
  private final Home home;
  private final Consumer<Optional<List<String>>> listener;
  private final long id = IDS.incrementAndGet();
  private final Set<String> next = new LinkedHashSet<>();
  private boolean ringing;
  private boolean listening;
  private boolean closed;
  private Optional<Long> cookie = Optional.empty();
  private CompletableFuture<Reply> closing =
      CompletableFuture.completedFuture(new Reply(0, 0, List.of()));

  /**
   * @param listener told of paths that have changed, or that anything may have
   */
  Bell(Cluster cluster, Home home, Consumer<Optional<List<String>>> listener) {
    this.cluster = cluster;
    this.home = home;
    this.listener = listener;
  }

  /** Tells the others that these have changed. */
  void ring(List<String> paths) {
    synchronized (this) {
      if (next.size() + paths.size() > MOST_PATHS) {
        next.clear();
        next.add(ALL);
      } else if (!next.contains(ALL)) {
        next.addAll(paths);
      }
      if (ringing || closed) {
        return;
      }
      ringing = true;
    }
    send();
  }

  private void send() {
    byte[] what;
    synchronized (this) {
      if (next.isEmpty() || closed) {
        ringing = false;
        return;
      }
      what = String.join("\n", next).getBytes(StandardCharsets.UTF_8);
      next.clear();
    }
    // It is nobody's failure when nobody hears: those who watch also look for themselves.
    var unused = cluster.tell(home, what).whenComplete((reply, failed) -> sent(failed == null));
  }

  private void sent(boolean goOn) {
    if (goOn) {
      send();
    } else {
      synchronized (this) {
        ringing = false;
      }
    }
  }

  /** Begins to hear, if it does not yet and if the object is there. */
  void listen() {
    synchronized (this) {
      if (listening || closed) {
        return;
      }
      listening = true;
    }
    BELLS.put(id, this);
    Native.setCallbackThreadInitializer(NOTIFIED, Cluster.THREADS);
    Native.setCallbackThreadInitializer(LOST, Cluster.THREADS);
    var unused =
        cluster
            .listen(home, NOTIFIED, LOST, id)
            .whenComplete(
                (handle, failed) -> {
                  synchronized (this) {
                    cookie = Optional.ofNullable(handle);
                    listening = failed == null;
                  }
                  if (failed == null) {
                    listener.accept(Optional.empty());
                  }
                });
  }

  private void heard(long notifyId, long handle, long notifier, Pointer data, long length) {
    try {
      cluster.acknowledge(home, notifyId, handle);
      if (notifier != cluster.instance()) {
        byte[] bytes =
            length > 0 && length < 1 << 20 ? data.getByteArray(0, (int) length) : new byte[0];
        List<String> paths = new ArrayList<>();
        for (String path : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
          paths.add(path);
        }
        boolean all = paths.contains(ALL) || paths.contains("");
        listener.accept(all ? Optional.empty() : Optional.of(paths));
      }
    } catch (RuntimeException odd) {
      LOG.warn("a notification of {} was not understood", home, odd);
    }
  }

  /** What came in the meantime is missed: those who watch look, and the next look listens again. */
  private void lost(int error) {
    LOG.debug("notifications of {} are lost ({})", home, error);
    Optional<Long> old;
    synchronized (this) {
      old = cookie;
      cookie = Optional.empty();
      listening = false;
    }
    old.ifPresent(handle -> cluster.completion(() -> ignore(cluster.silence(home, handle))));
    listener.accept(Optional.empty());
  }

  private static void ignore(CompletableFuture<Reply> reply) {
    var unused = reply.handle((done, failed) -> Boolean.TRUE);
  }

  void close() {
    synchronized (this) {
      closed = true;
      if (cookie.isPresent()) {
        closing = cluster.silence(home, cookie.get());
      }
      cookie = Optional.empty();
    }
    BELLS.remove(id);
  }

  /** Waits a little, so that the cluster need not find out by itself that nobody is there. */
  void awaitClosed() {
    try {
      var unused = closing.get(1, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException late) {
      LOG.debug("the cluster was not told that nobody listens to {}", home, late);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }
}
