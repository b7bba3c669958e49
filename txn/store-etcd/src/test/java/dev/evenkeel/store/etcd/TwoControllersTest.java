package dev.evenkeel.store.etcd;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.controller.source.DatastoreSource;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Two controllers on one etcd, each fed by it")
@Timeout(300)
class TwoControllersTest {
  /** Long: only resigning ends a term here, however slow the machine is. */
  private static final Duration LIFE = Duration.ofMinutes(1);

  /** One of them, with clients of its own. */
  private static final class Controller implements AutoCloseable {
    final Map<String, Integer> seen = new ConcurrentSkipListMap<>();
    final EtcdDatastore store;
    final EtcdElection election;
    final ControllerLoop loop;
    final DatastoreSource source;

    Controller(EtcdSettings settings, String name) {
      store = Etcd.open(settings);
      election = EtcdElection.open(settings, LIFE);
      loop = EventLoops.builder(name).handlers(items()).election(election, name).start();
      source = DatastoreSource.builder(name, store).input(ItemKey.TYPE).build();
      source.start(loop);
    }

    private EventHandler items() {
      return Handlers.named("items")
          .onChange(
              ItemKey.TYPE,
              (event, turn) -> {
                event
                    .currentAs(ItemKey.TYPE)
                    .ifPresentOrElse(
                        item -> seen.put(event.key(), item.number()),
                        () -> seen.remove(event.key()));
                return "";
              })
          .resync(
              (event, turn) -> {
                seen.clear();
                turn.input()
                    .all(ItemKey.TYPE)
                    .forEach(item -> seen.put(item.key().path(), item.value().number()));
              })
          .build();
    }

    void await(LoopState state) {
      org.awaitility.Awaitility.await()
          .atMost(Etcd.PATIENCE)
          .until(() -> loop.status().state() == state);
    }

    @Override
    public void close() {
      source.close();
      loop.close();
      election.close();
      store.close();
    }
  }

  private static void put(EtcdDatastore store, String name, int number) {
    var unused =
        store.blocking().apply(KeyValue.of(new ItemKey(name), new Item("", number)), Call.usual());
  }

  private static String path(String name) {
    return new ItemKey(name).path();
  }

  @Test
  @DisplayName("JT-14 one leads, the other stands by with all there is; a former leader is refused")
  void takesOver() {
    try (Etcd etcd = Etcd.start(1)) {
      EtcdSettings settings = etcd.settings();
      AtomicLong firstEpoch = new AtomicLong();
      try (EtcdDatastore user = Etcd.open(settings);
          Controller one = new Controller(settings, "one")) {
        put(user, "a", 1);
        one.await(LoopState.RUNNING);
        await().atMost(Etcd.PATIENCE).until(() -> one.seen.equals(Map.of(path("a"), 1)));
        try (Controller two = new Controller(settings, "two")) {
          var observation =
              two.election.observe(
                  leader ->
                      leader
                          .filter(l -> l.candidate().equals("one"))
                          .ifPresent(l -> firstEpoch.set(l.epoch().number())));
          await().atMost(Etcd.PATIENCE).until(() -> firstEpoch.get() != 0);
          put(user, "b", 2);
          await().atMost(Etcd.PATIENCE).until(() -> one.seen.containsKey(path("b")));
          assertEquals(LoopState.STANDBY, two.loop.status().state());
          assertEquals(Map.of(), two.seen, "who stands by calls no handler");

          one.election.close();
          one.await(LoopState.STANDBY);
          two.await(LoopState.RUNNING);
          await()
              .atMost(Etcd.PATIENCE)
              .until(() -> two.seen.equals(Map.of(path("a"), 1, path("b"), 2)));
          put(user, "c", 3);
          await().atMost(Etcd.PATIENCE).until(() -> two.seen.containsKey(path("c")));
          assertEquals(Map.of(path("a"), 1, path("b"), 2), one.seen);
          Call stale = Call.usual().under(new Epoch(firstEpoch.get()));
          assertThrows(
              DatastoreException.Fenced.class,
              () ->
                  one.store
                      .blocking()
                      .apply(KeyValue.of(new ItemKey("a"), new Item("", 9)), stale));
          closeQuietly(observation);
        }
      }
    }
  }

  private static void closeQuietly(AutoCloseable observation) {
    try {
      observation.close();
    } catch (Exception odd) {
      throw new AssertionError(odd);
    }
  }
}
