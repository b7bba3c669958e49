package dev.evenkeel.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Syncer;
import dev.evenkeel.api.datastore.SyncerOptions;
import dev.evenkeel.api.datastore.SyncerOptions.ParsePolicy;
import dev.evenkeel.api.datastore.SyncerOptions.StatusMode;
import dev.evenkeel.api.datastore.SyncerProvider;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import dev.evenkeel.tck.datastore.NodeKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The syncer on a real store. */
@Timeout(60)
class SyncerOnMemoryTest {
  private static final Call CALL = Call.usual();

  private static SyncerOptions options() {
    return new SyncerOptions(
        List.of(
            new SyncerOptions.Source<>(ListOptions.all(ItemKey.TYPE), Optional.empty()),
            new SyncerOptions.Source<>(ListOptions.all(NodeKey.TYPE), Optional.empty())),
        StatusMode.REGRESSING,
        ParsePolicy.DELETE,
        Duration.ofMillis(5),
        Duration.ofMillis(20));
  }

  private static Map<String, KeyValue<?>> stored(BlockingDatastore calls) {
    Map<String, KeyValue<?>> all = new TreeMap<>();
    calls
        .list(ListOptions.all(ItemKey.TYPE), CALL)
        .items()
        .forEach(p -> all.put(p.key().path(), p));
    calls
        .list(ListOptions.all(NodeKey.TYPE), CALL)
        .items()
        .forEach(p -> all.put(p.key().path(), p));
    return all;
  }

  private static void change(MemoryDatastore store, Random random) {
    BlockingDatastore calls = store.blocking();
    ItemKey item = new ItemKey("i" + random.nextInt(12));
    String group = "g" + random.nextInt(4);
    switch (random.nextInt(6)) {
      case 0, 1 -> calls.apply(KeyValue.of(item, new Item("t", random.nextInt())), CALL);
      case 2 -> store.delete(item, Revision.NONE, CALL).exceptionally(absent -> null);
      case 3 -> store.putGarbage(item.path(), new byte[] {1});
      case 4 ->
          calls.apply(
              KeyValue.of(NodeKey.of(group, "n" + random.nextInt(4)), new Item("n", 1)), CALL);
      default -> {
        if (!calls.list(ListOptions.inside(NodeKey.TYPE, group), CALL).items().isEmpty()) {
          calls.delete(NodeKey.group(group), Revision.NONE, CALL);
        }
      }
    }
  }

  @Test
  @DisplayName("5.6 whatever happens, the consumer's picture becomes that of the store")
  void converges() {
    for (int seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      // A short history, so that watches are compacted; every other store cannot watch at all.
      MemoryDatastore.Builder builder = MemoryDatastore.builder().history(6);
      MemoryDatastore store =
          (seed % 2 == 0 ? builder : builder.without(Capability.ORDERED_WATCH)).build();
      try (store) {
        Consumer consumer = new Consumer.Parsing();
        for (int i = 0; i < 20; i++) {
          change(store, random);
        }
        Syncer syncer = store.syncer(options(), consumer);
        syncer.start();
        for (int i = 0; i < 300; i++) {
          change(store, random);
        }
        var wanted = stored(store.blocking());
        Consumer.await(
            () -> consumer.picture().equals(wanted),
            () -> consumer.picture() + " is not " + wanted);
        syncer.stop();
        assertTrue(consumer.picture().isEmpty());
        consumer.log();
      }
    }
  }

  @Test
  @DisplayName("SY-40 a syncer that starts later is told everything as new, then in-sync")
  void late() {
    try (MemoryDatastore store = MemoryDatastore.create()) {
      for (String name : List.of("a", "b")) {
        store.blocking().create(KeyValue.of(new ItemKey(name), new Item("t", 1)), CALL);
      }
      for (int i = 0; i < 2; i++) {
        Consumer consumer = new Consumer();
        store.syncer(options(), consumer).start();
        consumer.awaitLog("st:wait-for-ready", "st:resync", "new a@2", "new b@3", "st:in-sync");
      }
    }
  }

  @Test
  @DisplayName("SY-11 a recursive delete is one deleted update for each leaf")
  void recursive() {
    try (MemoryDatastore store = MemoryDatastore.create()) {
      Consumer consumer = new Consumer();
      store.blocking().create(KeyValue.of(NodeKey.of("p", "1"), new Item("t", 1)), CALL);
      store.blocking().create(KeyValue.of(NodeKey.of("p", "2"), new Item("t", 1)), CALL);
      store.syncer(options(), consumer).start();
      Consumer.await(() -> consumer.picture().size() == 2, () -> "" + consumer.log());
      Consumer.await(() -> consumer.log().contains("st:in-sync"), () -> "" + consumer.log());
      store.blocking().delete(NodeKey.group("p"), Revision.NONE, CALL);
      consumer.awaitLog(
          "st:wait-for-ready", "st:resync", "new 1@2", "new 2@3", "st:in-sync", "del 1", "del 2");
    }
  }

  @Test
  @DisplayName("closing the store stops its syncers")
  void close() {
    Consumer consumer = new Consumer();
    MemoryDatastore store = MemoryDatastore.create();
    try (store) {
      store.blocking().create(KeyValue.of(new ItemKey("a"), new Item("t", 1)), CALL);
      store.syncer(options(), consumer).start();
      Consumer.await(() -> consumer.picture().size() == 1, () -> "" + consumer.log());
    }
    assertTrue(consumer.picture().isEmpty());
  }

  @Test
  @DisplayName("the syncer is found by the service loader")
  void provider() {
    assertEquals(WatcherSyncerProvider.class, SyncerProvider.installed().getClass());
  }
}
