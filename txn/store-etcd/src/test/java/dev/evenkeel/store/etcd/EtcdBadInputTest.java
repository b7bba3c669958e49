package dev.evenkeel.store.etcd;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import dev.evenkeel.tck.datastore.NodeKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Bad and odd input to the etcd store")
@Timeout(300)
class EtcdBadInputTest {
  private static final ListOptions<Item> ALL = ListOptions.all(ItemKey.TYPE);
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

  private static KeyValue<Item> pair(String name) {
    return KeyValue.of(new ItemKey(name), new Item("", 1));
  }

  @Test
  @DisplayName(
      "a value of 10 MB is refused before it is sent, and one that etcd just takes is kept")
  void large() {
    Codecs large =
        new Codecs() {
          private final Codecs inner = new JacksonCodecs();

          @Override
          public <V> byte[] toBytes(KeyType<V> type, V value) {
            return new byte[((Item) value).number()];
          }

          @Override
          public <V> V fromBytes(KeyType<V> type, String rawKey, byte[] bytes) {
            return type.valueType().cast(new Item("", bytes.length));
          }

          @Override
          public <V> dev.evenkeel.api.Fields toFields(KeyType<V> type, V value) {
            return inner.toFields(type, value);
          }

          @Override
          public <V> V fromFields(KeyType<V> type, String rawKey, dev.evenkeel.api.Fields fields) {
            return inner.fromFields(type, rawKey, fields);
          }
        };
    try (EtcdDatastore store = EtcdDatastore.open(etcd.settings(), large)) {
      ItemKey key = new ItemKey("a");
      KeyValue<Item> tenMegabytes = KeyValue.of(key, new Item("", 10_000_000));
      for (Runnable body :
          List.<Runnable>of(
              () -> store.blocking().create(tenMegabytes, Call.usual()),
              () -> store.blocking().apply(tenMegabytes, Call.usual()),
              () ->
                  store
                      .blocking()
                      .commit(
                          List.of(),
                          List.of(new Write.Put<>(key, new Item("", 10_000_000))),
                          Call.usual()))) {
        var refused = assertThrows(EvenkeelException.class, body::run);
        assertEquals(ErrorKind.OUT_OF_RANGE, refused.kind());
      }
      assertTrue(store.blocking().find(key, Call.usual()).isEmpty());
      var kept = store.blocking().create(KeyValue.of(key, new Item("", 1_400_000)), Call.usual());
      assertEquals(kept, store.blocking().get(key, Call.usual()));
    }
  }

  @Test
  @DisplayName("names with every odd character come back as they were, and stay apart")
  void oddNames() {
    try (EtcdDatastore store = etcd.open()) {
      List<String> names = new ArrayList<>(List.of("..", ".", "a/b", "a//b", "#", "%2F", "\u0000"));
      names.addAll(List.of("ä", "\ud83d\ude00", " ", "\"'\\", "\n\t", "@", "x".repeat(1_000)));
      IntStream.range(1, 128).mapToObj(c -> "c" + (char) c).forEach(names::add);
      for (String name : names) {
        var unused =
            store
                .blocking()
                .create(
                    KeyValue.of(NodeKey.of(name, name), new Item(name, name.length())),
                    Call.usual());
      }
      var found = store.blocking().list(ListOptions.all(NodeKey.TYPE), Call.usual()).items();
      assertEquals(names.size(), found.size());
      for (String name : names) {
        var there = store.blocking().get(NodeKey.of(name, name), Call.usual());
        assertEquals(name, there.value().orElseThrow().text());
        var inside = store.blocking().list(ListOptions.inside(NodeKey.TYPE, name), Call.usual());
        assertEquals(List.of(there), inside.items());
      }
    }
  }

  @Test
  @DisplayName("large batches are atomic too; one that is too large is invalid input")
  void batches() {
    try (EtcdDatastore store = etcd.open()) {
      List<Write> writes = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        writes.add(new Write.Put<>(new ItemKey("n" + i), new Item("", i)));
      }
      Guard absent = new Guard.Absent(new ItemKey("n0"));
      Revision at = store.blocking().commit(List.of(absent), writes, Call.usual());
      var all = store.blocking().list(ALL, Call.usual());
      assertEquals(1_000, all.items().size());
      all.items().forEach(pair -> assertEquals(at, pair.revision()));
      assertThrows(
          DatastoreException.UpdateConflict.class,
          () -> store.blocking().commit(List.of(absent), writes, Call.usual()));
      assertEquals(at, store.blocking().list(ALL, Call.usual()).revision());
      List<Guard> guards = Collections.nCopies(121, new Guard.Exists(new ItemKey("n0")));
      var refused =
          assertThrows(
              EvenkeelException.class,
              () -> store.blocking().commit(guards, List.of(), Call.usual()));
      assertEquals(ErrorKind.INVALID, refused.kind());
    }
  }

  @Test
  @DisplayName("a list of several pages is one state")
  void pages() {
    try (EtcdDatastore store = etcd.open()) {
      for (int batch = 0; batch < 3; batch++) {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < 900; i++) {
          writes.add(new Write.Put<>(new ItemKey(batch + "-" + i), new Item("", i)));
        }
        var unused = store.blocking().commit(List.of(), writes, Call.usual());
      }
      var all = store.blocking().list(ALL, Call.usual());
      assertEquals(2_700, all.items().size());
      assertEquals(2_700, all.items().stream().map(pair -> pair.key().path()).distinct().count());
    }
  }

  @Test
  @DisplayName("a closed port is unavailable at once, and nothing may have happened")
  void closedPort() {
    EtcdSettings nowhere = EtcdSettings.of("http://127.0.0.1:1");
    try (EtcdDatastore store = Etcd.open(nowhere)) {
      for (Runnable body :
          List.<Runnable>of(
              () -> store.blocking().get(new ItemKey("a"), Call.usual()),
              () -> store.blocking().list(ALL, Call.usual()),
              () -> store.blocking().create(pair("a"), Call.usual()),
              () -> store.blocking().ensureInitialized(Call.usual()))) {
        var refused = assertThrows(DatastoreException.class, body::run);
        assertEquals(ErrorKind.UNAVAILABLE, refused.kind());
        assertFalse(refused instanceof DatastoreException.PartialFailure, refused::toString);
      }
    }
  }

  @Test
  @DisplayName("one endpoint of several that works is enough")
  void severalEndpoints() {
    EtcdSettings settings =
        EtcdSettings.of("http://127.0.0.1:1", etcd.member(0).endpoint()).root("/several");
    try (EtcdDatastore store = Etcd.open(settings)) {
      await()
          .atMost(Etcd.PATIENCE)
          .ignoreExceptionsInstanceOf(EvenkeelException.class)
          .until(() -> store.blocking().find(new ItemKey("a"), Call.usual()).isEmpty());
      var made = store.blocking().create(pair("a"), Call.usual());
      assertEquals(made, store.blocking().get(made.key(), Call.usual()));
    }
  }

  @Test
  @DisplayName("settings that cannot be used are invalid input, all of them")
  void settings() {
    for (Runnable body :
        List.<Runnable>of(
            () -> EtcdSettings.of(),
            () -> EtcdSettings.of("127.0.0.1:2379"),
            () -> EtcdSettings.of("http://127.0.0.1"),
            () -> EtcdSettings.of("ftp://127.0.0.1:2379"),
            () -> EtcdSettings.of("http://a b:2379"),
            () -> EtcdSettings.of("http://127.0.0.1:2379", "https://127.0.0.1:2380"),
            () -> EtcdSettings.of("http://127.0.0.1:2379").root("evenkeel"),
            () -> EtcdSettings.of("http://127.0.0.1:2379").group("a/b"),
            () -> EtcdElection.open(etcd.settings(), java.time.Duration.ofMillis(1_500)))) {
      assertEquals(ErrorKind.INVALID, assertThrows(EvenkeelException.class, body::run).kind());
    }
  }

  @Test
  @DisplayName("a closed store leaves no thread behind, whatever it was doing")
  void noThread() {
    EtcdDatastore store = etcd.open();
    var unused = store.blocking().create(pair("a"), Call.usual());
    var late = store.get(new ItemKey("a"), Revision.NONE, Call.usual());
    EtcdDatastore nowhere = Etcd.open(EtcdSettings.of("http://127.0.0.1:1"));
    var refused = nowhere.get(new ItemKey("a"), Revision.NONE, Call.usual());
    store.close();
    nowhere.close();
    await().atMost(Etcd.PATIENCE).until(() -> late.toCompletableFuture().isDone());
    await().atMost(Etcd.PATIENCE).until(() -> refused.toCompletableFuture().isDone());
    await()
        .atMost(Etcd.PATIENCE)
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("evenkeel-etcd")));
  }
}
