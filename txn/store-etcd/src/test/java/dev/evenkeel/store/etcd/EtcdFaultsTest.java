package dev.evenkeel.store.etcd;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import dev.evenkeel.tck.datastore.CompareAndSetClients;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("An etcd of three members, some of which are killed (kill -9)")
@Timeout(600)
class EtcdFaultsTest {
  private static final ListOptions<Item> ALL = ListOptions.all(ItemKey.TYPE);
  private static Etcd etcd;

  @BeforeAll
  static void start() {
    etcd = Etcd.start(3);
  }

  @AfterAll
  static void end() {
    if (etcd != null) {
      etcd.close();
    }
  }

  private static EtcdSettings settings() {
    return etcd.settings().watchPatience(Duration.ofMinutes(2));
  }

  /** Any member's word on who leads etcd. */
  private static Etcd.Member leader() {
    return await()
        .atMost(Etcd.PATIENCE)
        .ignoreExceptions()
        .until(
            () -> {
              for (int i = 0; i < etcd.size(); i++) {
                EtcdSettings one = EtcdSettings.of(etcd.member(i).endpoint());
                try (Connection connection = Connection.open(one, "status")) {
                  var status =
                      connection
                          .ask(
                              MaintenanceGrpc.getStatusMethod(),
                              StatusRequest.getDefaultInstance(),
                              Limit.of("", Call.within(Duration.ofSeconds(5))))
                          .get(10, TimeUnit.SECONDS);
                  if (status.getLeader() == status.getHeader().getMemberId()) {
                    return etcd.member(i);
                  }
                }
              }
              throw new IllegalStateException("nobody leads yet");
            },
            found -> true);
  }

  private static boolean works(EtcdDatastore store) {
    store.blocking().ensureInitialized(Call.within(Duration.ofSeconds(5)));
    return true;
  }

  private static void awaitWorking(EtcdDatastore store) {
    await()
        .atMost(Etcd.PATIENCE)
        .ignoreExceptionsInstanceOf(EvenkeelException.class)
        .until(() -> works(store));
  }

  @Test
  @DisplayName(
      "loses no acknowledged write, and a watch neither misses an event nor tells one twice")
  void writesAndWatches() {
    try (EtcdDatastore store = Etcd.open(settings())) {
      Seen seen = new Seen();
      Revision before = store.blocking().list(ALL, Call.usual()).revision();
      try (Watch watch = store.watch(ALL, before, seen)) {
        assertFalse(watch.hasTerminated());
        Set<String> acknowledged = new HashSet<>();
        write(store, 0, 50, acknowledged);
        for (boolean leads : List.of(false, true)) {
          Etcd.Member victim = leads ? leader() : etcd.member(0);
          victim.kill();
          write(store, leads ? 200 : 50, 50, acknowledged);
          victim.restart();
          write(store, leads ? 250 : 100, 50, acknowledged);
        }
        awaitWorking(store);
        write(store, 400, 10, acknowledged);
        List<String> there =
            store.blocking().list(ALL, Call.usual()).items().stream()
                .map(pair -> pair.key().path())
                .toList();
        assertTrue(there.containsAll(acknowledged), "nothing acknowledged is lost");
        await().atMost(Etcd.PATIENCE).until(() -> seen.paths.size() >= there.size());
        assertEquals(new HashSet<>(there), new HashSet<>(seen.paths));
        assertEquals(there.size(), seen.paths.size(), "nothing twice");
        assertEquals(List.of(), seen.failures);
        List<Long> sorted = new ArrayList<>(seen.revisions);
        sorted.sort(null);
        assertEquals(sorted, seen.revisions, "in order");
      }
    }
  }

  private static void write(EtcdDatastore store, int from, int count, Set<String> acknowledged) {
    for (int i = from; i < from + count; i++) {
      ItemKey key = new ItemKey("n" + i);
      try {
        var made =
            store
                .blocking()
                .create(KeyValue.of(key, new Item("", i)), Call.within(Duration.ofSeconds(20)));
        acknowledged.add(made.key().path());
      } catch (EvenkeelException unknown) {
        assertTrue(!unknown.kind().isFinal(), unknown::toString);
      }
    }
  }

  /** What a watch told. */
  private static final class Seen implements Watch.Observer<Item> {
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final List<Long> revisions = new CopyOnWriteArrayList<>();
    private final List<DatastoreException> failures = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(WatchEvent<Item> event) {
      if (event instanceof WatchEvent.Added<Item> added) {
        revisions.add(Long.parseLong(added.current().revision().text()));
        paths.add(added.current().key().path());
      }
    }

    @Override
    public void onError(DatastoreException failure) {
      failures.add(failure);
    }

    @Override
    public void onClosed() {}
  }

  @Test
  @DisplayName("comes back with all it had after all were killed, for the same client and watch")
  void allRestarted() {
    try (EtcdDatastore store = Etcd.open(settings())) {
      Seen seen = new Seen();
      var made =
          store.blocking().create(KeyValue.of(new ItemKey("a"), new Item("", 1)), Call.usual());
      try (Watch watch = store.watch(ALL, made.revision(), seen)) {
        assertFalse(watch.hasTerminated());
        for (int i = 0; i < etcd.size(); i++) {
          etcd.member(i).kill();
        }
        await()
            .atMost(Etcd.PATIENCE)
            .until(
                () -> {
                  try {
                    return !works(store);
                  } catch (EvenkeelException away) {
                    return !away.kind().isFinal();
                  }
                });
        for (int i = 0; i < etcd.size(); i++) {
          etcd.member(i).begin();
        }
        awaitWorking(store);
        assertEquals(made, store.blocking().get(made.key(), Call.usual()));
        Set<String> acknowledged = new HashSet<>();
        write(store, 0, 1, acknowledged);
        await().atMost(Etcd.PATIENCE).until(() -> seen.paths.containsAll(acknowledged));
        assertEquals(List.of(), seen.failures);
      }
    }
  }

  @Test
  @DisplayName("has an order for the compare-and-sets of 16 clients, also while its leader dies")
  void linear() throws Exception {
    EtcdSettings settings = settings();
    List<EtcdDatastore> stores = IntStream.range(0, 4).mapToObj(i -> Etcd.open(settings)).toList();
    try {
      List<EtcdDatastore> clients =
          IntStream.range(0, 16).mapToObj(i -> stores.get(i % 4)).toList();
      CompareAndSetClients run =
          new CompareAndSetClients(clients, 100, Duration.ofSeconds(20), Duration.ofMinutes(4));
      await().atMost(Etcd.PATIENCE).until(() -> run.calls() >= 300);
      Etcd.Member victim = leader();
      victim.kill();
      await().atMost(Etcd.PATIENCE).until(() -> run.calls() >= 600);
      victim.restart();
      run.check();
    } finally {
      stores.forEach(EtcdDatastore::close);
    }
  }
}
