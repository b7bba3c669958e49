package dev.evenkeel.store.rados;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.SyncStatus;
import dev.evenkeel.api.datastore.SyncerCallbacks;
import dev.evenkeel.api.datastore.SyncerOptions;
import dev.evenkeel.api.datastore.Update;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several clients of one store, and clients that come and go. */
class RadosClientsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Ceph ceph = Ceph.get();
  private final RadosSettings settings = ceph.settings();

  private static Call call() {
    return Call.usual();
  }

  private static KeyValue<Item> pair(String name, int number) {
    return KeyValue.of(new ItemKey(name), new Item("x", number));
  }

  /** What a watch has told. */
  private static final class Told implements Watch.Observer<Item> {
    final BlockingQueue<WatchEvent<Item>> events = new LinkedBlockingQueue<>();
    final CountDownLatch closed = new CountDownLatch(1);
    final List<DatastoreException> errors = new ArrayList<>();

    @Override
    public void onEvent(WatchEvent<Item> event) {
      events.add(event);
    }

    @Override
    public void onError(DatastoreException failure) {
      errors.add(failure);
    }

    @Override
    public void onClosed() {
      closed.countDown();
    }

    WatchEvent<Item> next() throws InterruptedException {
      return Optional.ofNullable(events.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
          .orElseThrow(() -> new AssertionError("no event; errors " + errors));
    }
  }

  @Test
  @DisplayName(
      "a watch hears of another client's changes by notification, without looking for itself")
  void notified() throws Exception {
    // No look of its own within the time of the test.
    RadosSettings blind =
        settings.within(Duration.ofSeconds(20), Duration.ofSeconds(30), Duration.ofHours(1));
    try (RadosDatastore one = Ceph.open(blind);
        RadosDatastore other = Ceph.open(blind)) {
      KeyValue<Item> first = other.blocking().create(pair("first", 0), call());
      Told told = new Told();
      try (Watch watch = one.watch(ListOptions.all(ItemKey.TYPE), Revision.NONE, told)) {
        assertEquals(new WatchEvent.Added<>(first), told.next());
        // It may only begin to hear after this; then it looks once more, at everything.
        KeyValue<Item> a = other.blocking().create(pair("a", 1), call());
        assertEquals(new WatchEvent.Added<>(a), told.next());
        KeyValue<Item> b = other.blocking().update(a.with(new Item("x", 2)), call());
        assertEquals(new WatchEvent.Modified<>(Optional.of(a), b), told.next());
        other.blocking().delete(b.key(), b.revision(), call());
        assertTrue(told.next() instanceof WatchEvent.Deleted<Item>);
        end(watch);
        assertTrue(told.closed.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        assertEquals(List.of(), told.errors);
      }
    }
  }

  @Test
  @DisplayName("a watch finds another client's changes by looking, where nobody can be heard")
  void polled() throws Exception {
    try (RadosDatastore one = Ceph.open(settings);
        RadosDatastore other = Ceph.open(settings)) {
      Told told = new Told();
      // The object that is listened to is not there yet.
      try (Watch watch = one.watch(ListOptions.all(ItemKey.TYPE), Revision.NONE, told)) {
        KeyValue<Item> a = other.blocking().create(pair("a", 1), call());
        assertEquals(new WatchEvent.Added<>(a), told.next());
        end(watch);
        assertTrue(told.closed.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
      }
    }
  }

  @Test
  @DisplayName("JT-14 a former leader writes nothing more, in no object, new or old")
  void fenced() {
    RadosSettings sharded = settings.forInstance("default", 4);
    try (RadosDatastore former = Ceph.open(sharded);
        RadosDatastore leader = Ceph.open(sharded)) {
      Call old = Call.usual().under(new Epoch(3));
      KeyValue<Item> a = former.blocking().create(pair("a", 1), old);
      leader.blocking().apply(pair("b", 1), Call.usual().under(new Epoch(4)));
      for (int i = 0; i < 20; i++) {
        String name = "n" + i;
        assertThrows(
            DatastoreException.Fenced.class,
            () -> former.blocking().create(pair(name, 1), Call.usual().under(new Epoch(3))));
      }
      assertThrows(
          DatastoreException.Fenced.class,
          () ->
              former.blocking().update(a.with(new Item("x", 2)), Call.usual().under(new Epoch(3))));
      assertThrows(
          DatastoreException.Fenced.class,
          () -> former.blocking().delete(a.key(), a.revision(), Call.usual().under(new Epoch(3))));
      assertEquals(
          Set.of(new ItemKey("a"), new ItemKey("b")),
          leader.blocking().list(ListOptions.all(ItemKey.TYPE), call()).items().stream()
              .map(KeyValue::key)
              .collect(Collectors.toSet()));
      assertEquals(a, leader.blocking().get(a.key(), call()));
    }
  }

  @Test
  @DisplayName("a syncer on it is in sync, follows another client, and tells every delete")
  void synced() {
    Map<String, Integer> mirror = new ConcurrentHashMap<>();
    List<SyncStatus> statuses = java.util.Collections.synchronizedList(new ArrayList<>());
    SyncerCallbacks callbacks =
        new SyncerCallbacks() {
          @Override
          public void onStatusUpdated(SyncStatus status) {
            statuses.add(status);
          }

          @Override
          public void onUpdates(List<Update> updates) {
            for (Update update : updates) {
              String path = update.pair().key().path();
              if (update.pair().value().isPresent()) {
                mirror.put(path, ((Item) update.pair().value().get()).number());
              } else {
                mirror.remove(path);
              }
            }
          }
        };
    try (RadosDatastore one = Ceph.open(settings);
        RadosDatastore other = Ceph.open(settings)) {
      other.blocking().create(pair("a", 1), call());
      var syncer =
          one.syncer(
              SyncerOptions.of(
                  List.of(
                      new SyncerOptions.Source<>(ListOptions.all(ItemKey.TYPE), Optional.empty()))),
              callbacks);
      syncer.start();
      await().atMost(PATIENCE).until(() -> statuses.contains(SyncStatus.IN_SYNC));
      String a = new ItemKey("a").path();
      assertEquals(Map.of(a, 1), mirror);
      other.blocking().apply(pair("b", 2), call());
      other.blocking().apply(pair("a", 3), call());
      await().atMost(PATIENCE).until(() -> mirror.equals(Map.of(a, 3, new ItemKey("b").path(), 2)));
      other.blocking().delete(new ItemKey("b"), Revision.NONE, call());
      await().atMost(PATIENCE).until(() -> mirror.equals(Map.of(a, 3)));
      syncer.stop();
      await().atMost(PATIENCE).until(mirror::isEmpty);
    }
  }

  @Test
  @DisplayName("what depends on a read may close the store, and read and write on")
  void closedByADependent() throws Exception {
    RadosDatastore store = Ceph.open(settings);
    store.blocking().create(pair("a", 1), call());
    var written =
        store
            .get(new ItemKey("a"), Revision.NONE, call())
            .thenCompose(read -> store.update(read, call()))
            .thenCompose(pair -> store.get(new ItemKey("a"), Revision.NONE, call()))
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);
    assertTrue(written.revision().isGiven());
    store
        .get(new ItemKey("a"), Revision.NONE, call())
        .thenAccept(read -> store.close())
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
    await().atMost(PATIENCE).until(() -> store.cluster().isClosed());
    assertThrows(EvenkeelException.class, () -> store.blocking().create(pair("b", 1), call()));
    store.close();
  }

  @Test
  @DisplayName("opened and closed again and again with everything under way: no thread stays")
  void comeAndGo() {
    for (int i = 0; i < 10; i++) {
      RadosDatastore store = Ceph.open(settings);
      Told told = new Told();
      Watch watch = store.watch(ListOptions.all(ItemKey.TYPE), Revision.NONE, told);
      for (int n = 0; n < 5; n++) {
        var unused = store.apply(pair("n" + n, i), call()).handle((pair, failed) -> Boolean.TRUE);
      }
      if (i % 2 == 0) {
        store.blocking().apply(pair("waited", i), call());
      }
      store.close();
      await().atMost(PATIENCE).until(watch::hasTerminated);
      assertEquals(List.of(), told.errors);
    }
    await().atMost(PATIENCE).untilAsserted(() -> assertEquals(List.of(), threads()));
  }

  private static void end(Watch watch) {
    watch.close();
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("evenkeel-rados") || name.startsWith("evenkeel-librados"))
        .sorted()
        .toList();
  }
}
