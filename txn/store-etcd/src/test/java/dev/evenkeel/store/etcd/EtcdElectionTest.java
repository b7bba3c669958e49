package dev.evenkeel.store.etcd;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.election.LeaderElection.Leader;
import dev.evenkeel.api.election.Leadership;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The election on etcd")
@Timeout(300)
class EtcdElectionTest {
  private static final Duration LIFE = Duration.ofSeconds(2);
  private static Etcd etcd;

  @BeforeAll
  static void start() {
    etcd = Etcd.start(1);
  }

  @AfterAll
  static void end() {
    if (etcd != null) {
      etcd.close();
    }
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(Etcd.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static KeyValue<Item> pair(int number) {
    return KeyValue.of(new ItemKey("a"), new Item("", number));
  }

  @Test
  @DisplayName("has one leader; the next leads, in a later epoch, when that one has resigned")
  void resigns() throws Exception {
    EtcdSettings settings = etcd.settings();
    List<Optional<Leader>> told = new CopyOnWriteArrayList<>();
    try (EtcdElection one = EtcdElection.open(settings, LIFE);
        EtcdElection two = EtcdElection.open(settings, LIFE)) {
      var observation = two.observe(told::add);
      Leadership first = get(one.campaign("one"));
      assertTrue(first.held());
      assertEquals(Optional.of(new Leader("one", first.epoch())), awaitTold(told, "one"));
      CompletionStage<Leadership> waits = two.campaign("two");
      assertTrue(first.held());
      get(first.resign());
      assertFalse(first.held());
      get(first.lost());
      Leadership second = get(waits);
      assertTrue(second.epoch().compareTo(first.epoch()) > 0);
      assertEquals(Optional.of(new Leader("two", second.epoch())), awaitTold(told, "two"));
      observation.close();
    }
  }

  private static Optional<Leader> awaitTold(List<Optional<Leader>> told, String who) {
    return await()
        .atMost(Etcd.PATIENCE)
        .until(
            () ->
                told.stream()
                    .flatMap(Optional::stream)
                    .filter(leader -> leader.candidate().equals(who))
                    .findFirst(),
            Optional::isPresent);
  }

  @Test
  @DisplayName("JT-14 etcd refuses a former leader's write from when the next leads, not later")
  void fences() throws Exception {
    EtcdSettings settings = etcd.settings();
    try (EtcdElection election = EtcdElection.open(settings, LIFE);
        Datastore store = Etcd.open(settings)) {
      Leadership first = get(election.campaign("one"));
      var before = store.blocking().create(pair(1), Call.usual().under(first.epoch()));
      get(first.resign());
      Leadership second = get(election.campaign("two"));
      for (Call call : List.of(Call.usual().under(first.epoch()))) {
        assertThrows(DatastoreException.Fenced.class, () -> store.blocking().apply(pair(2), call));
        assertThrows(
            DatastoreException.Fenced.class,
            () -> store.blocking().delete(before.key(), before.revision(), call));
        assertThrows(
            DatastoreException.Fenced.class,
            () -> store.blocking().commit(List.of(), List.of(), call));
      }
      assertEquals(before, store.blocking().get(before.key(), Call.usual()));
      store.blocking().update(before.with(new Item("", 3)), Call.usual().under(second.epoch()));
    }
  }

  @Test
  @DisplayName("a fenced store writes under the leader's epoch, and nothing before there is one")
  void fencedStore() throws Exception {
    EtcdSettings settings = etcd.settings();
    Epoch[] epoch = {Epoch.NONE};
    try (EtcdElection election = EtcdElection.open(settings, LIFE);
        Datastore store = new FencedDatastore(Etcd.open(settings), () -> epoch[0])) {
      assertThrows(
          DatastoreException.Fenced.class, () -> store.blocking().apply(pair(1), Call.usual()));
      Leadership first = get(election.campaign("one"));
      epoch[0] = first.epoch();
      store.blocking().apply(pair(1), Call.usual());
      get(first.resign());
      var unused = get(election.campaign("two"));
      assertThrows(
          DatastoreException.Fenced.class, () -> store.blocking().apply(pair(2), Call.usual()));
    }
  }

  @Test
  @DisplayName("groups below one root have leaders, and fences, of their own")
  void groups() throws Exception {
    EtcdSettings settings = etcd.settings();
    try (EtcdElection one = EtcdElection.open(settings.group("one"), LIFE);
        EtcdElection two = EtcdElection.open(settings.group("two"), LIFE);
        Datastore store = Etcd.open(settings.group("one"))) {
      Leadership first = get(one.campaign("a"));
      Leadership second = get(two.campaign("b"));
      assertTrue(first.held() && second.held());
      store.blocking().apply(pair(1), Call.usual().under(first.epoch()));
    }
  }

  @Test
  @DisplayName("a lease that is gone ends the term, and a candidate that waits runs anew")
  void leaseIsGone() throws Exception {
    EtcdSettings settings = etcd.settings();
    try (EtcdElection one = EtcdElection.open(settings, LIFE);
        EtcdElection two = EtcdElection.open(settings, LIFE);
        EtcdDatastore store = Etcd.open(settings)) {
      Leadership first = get(one.campaign("one"));
      CompletionStage<Leadership> waits = two.campaign("two");
      Bytes.Range everybody = Bytes.Range.prefix(settings.root() + "#election/leader/");
      await().atMost(Etcd.PATIENCE).until(() -> candidates(store, everybody).pairs().size() == 2);
      // Whoever waits loses its key, then whoever leads.
      for (int i = 1; i >= 0; i--) {
        var gone = candidates(store, everybody).pairs().get(i);
        Lives.revoke(store.connection(), gone.getLease());
      }
      get(first.lost());
      Leadership second = get(waits);
      assertTrue(second.epoch().compareTo(first.epoch()) > 0);
      assertTrue(second.held());
    }
  }

  private static Listing.Found candidates(EtcdDatastore store, Bytes.Range range) {
    return Listing.read(store.connection(), range, 0, Limit.of("", Call.usual()))
        .thenApply(
            found ->
                new Listing.Found(
                    found.pairs().stream()
                        .sorted(
                            java.util.Comparator.comparing(
                                io.etcd.jetcd.api.KeyValue::getCreateRevision))
                        .toList(),
                    found.revision()))
        .join();
  }

  @Test
  @DisplayName("a closed election ends its term and its campaigns, and refuses")
  void closes() throws Exception {
    EtcdSettings settings = etcd.settings();
    EtcdElection one = EtcdElection.open(settings, LIFE);
    Leadership first = get(one.campaign("one"));
    CompletionStage<Leadership> waits = one.campaign("again");
    one.close();
    one.close();
    assertFalse(first.held());
    get(first.lost());
    assertThrows(ExecutionException.class, () -> get(waits));
    var refused = assertThrows(ExecutionException.class, () -> get(one.campaign("late")));
    assertEquals(ErrorKind.UNAVAILABLE, EvenkeelException.kindOf(refused));
    try (EtcdElection two = EtcdElection.open(settings, LIFE)) {
      assertTrue(get(two.campaign("two")).held());
    }
  }
}
