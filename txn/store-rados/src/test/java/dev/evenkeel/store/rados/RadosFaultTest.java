package dev.evenkeel.store.rados;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that is killed, stopped, away, or that refuses. */
@SuppressWarnings("NullAway.Init") // started before all
class RadosFaultTest {
  // Broken by these tests, so it is nobody else's.
  private static Ceph ceph;
  private final RadosSettings settings = ceph.settings();

  @BeforeAll
  static void start() {
    ceph = Ceph.own();
  }

  @AfterAll
  static void end() {
    ceph.down();
  }

  @AfterEach
  void whole() {
    ceph.up();
  }

  private static Call call() {
    return Call.within(Duration.ofSeconds(100));
  }

  private static KeyValue<Item> pair(String name, int number) {
    return KeyValue.of(new ItemKey(name), new Item("x", number));
  }

  @Test
  @Tag("long")
  @DisplayName(
      "the OSD killed under writes and started: what was acknowledged is there, and it goes on")
  void killed() {
    try (RadosDatastore store = Ceph.open(settings)) {
      List<CompletableFuture<KeyValue<Item>>> writes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        writes.add(store.create(pair("n" + i, i), call()).toCompletableFuture());
        if (i == 50) {
          writes.get(0).join();
          long pid = ceph.pid("osd.0");
          ceph.signal("osd.0", "KILL");
          ceph.awaitEnd("osd.0", pid);
        }
      }
      ceph.up();
      BlockingDatastore calls = store.blocking();
      for (CompletableFuture<KeyValue<Item>> write : writes) {
        try {
          KeyValue<Item> acknowledged = write.join();
          assertEquals(acknowledged, calls.get(acknowledged.key(), call()));
        } catch (CompletionException unknown) {
          assertTrue(unknown.getCause() instanceof EvenkeelException, unknown::toString);
        }
      }
      KeyValue<Item> after = calls.create(pair("after", 1), call());
      assertEquals(after, calls.get(after.key(), call()));
    }
  }

  @Test
  @Tag("long")
  @DisplayName(
      "a stopped OSD: a call ends at its deadline, a write may have happened, it goes on after")
  void stopped() {
    try (RadosDatastore store = Ceph.open(settings)) {
      BlockingDatastore calls = store.blocking();
      KeyValue<Item> a = calls.create(pair("a", 1), call());
      ceph.signal("osd.0", "STOP");
      try {
        Call brief = Call.within(Duration.ofMillis(300));
        assertEquals(
            ErrorKind.DEADLINE_EXCEEDED,
            assertThrows(
                    EvenkeelException.class, () -> calls.update(a.with(new Item("x", 2)), brief))
                .kind());
        assertEquals(
            ErrorKind.DEADLINE_EXCEEDED,
            assertThrows(
                    EvenkeelException.class,
                    () -> calls.get(a.key(), Call.within(Duration.ofMillis(300))))
                .kind());
      } finally {
        ceph.signal("osd.0", "CONT");
      }
      KeyValue<Item> now = calls.apply(pair("a", 3), call());
      assertEquals(now, calls.get(a.key(), call()));
    }
  }

  @Test
  @Tag("long")
  @DisplayName("a cluster that takes too long for a write: its outcome is told as unknown")
  void unknown() {
    RadosSettings hasty =
        settings.within(Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ofSeconds(60));
    try (RadosDatastore store = Ceph.open(hasty)) {
      BlockingDatastore calls = store.blocking();
      KeyValue<Item> a = calls.create(pair("a", 1), call());
      ceph.signal("osd.0", "STOP");
      try {
        var failed =
            assertThrows(
                DatastoreException.PartialFailure.class,
                () -> calls.update(a.with(new Item("x", 2)), call()));
        assertEquals(a.key().path(), failed.identifier());
      } finally {
        ceph.signal("osd.0", "CONT");
      }
    }
  }

  @Test
  @Tag("long")
  @DisplayName(
      "closed while the OSD is stopped: calls under way fail, and nothing is waited for long")
  void closedWhileStopped() {
    RadosDatastore store = Ceph.open(settings);
    KeyValue<Item> a = store.blocking().create(pair("a", 1), call());
    ceph.signal("osd.0", "STOP");
    try {
      var write = store.update(a.with(new Item("x", 2)), call()).toCompletableFuture();
      store.close();
      var failed = assertThrows(CompletionException.class, write::join);
      assertEquals(ErrorKind.UNAVAILABLE, EvenkeelException.kindOf(failed));
    } finally {
      ceph.signal("osd.0", "CONT");
    }
  }

  @Test
  @Tag("long")
  @DisplayName("the monitor stopped: who is connected goes on, who is not is told")
  void monitor() {
    try (RadosDatastore store = Ceph.open(settings)) {
      ceph.signal("mon.a", "STOP");
      try {
        KeyValue<Item> made = store.blocking().create(pair("a", 1), call());
        assertEquals(made, store.blocking().get(made.key(), call()));
        RadosSettings brief =
            settings.within(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(5));
        var failed = assertThrows(EvenkeelException.class, () -> Ceph.open(brief).close());
        assertEquals(ErrorKind.UNAVAILABLE, failed.kind());
      } finally {
        ceph.signal("mon.a", "CONT");
      }
    }
  }

  @Test
  @DisplayName("a wrong key, user, pool or file is refused by type, and no key is shown")
  void refused(@TempDir Path folder) throws Exception {
    Path keyring = folder.resolve("keyring");
    String key = "AQBSdFhlAAAAABAAmqWqD2FbXKtFc1kXg3rVXw==";
    Files.writeString(keyring, "[client.evenkeel]\n\tkey = " + key + "\n");
    var wrongKey =
        assertThrows(
            EvenkeelException.class, () -> Ceph.open(settings.withKeyring(keyring)).close());
    assertEquals(ErrorKind.UNAUTHORIZED, wrongKey.kind());
    assertTrue(!wrongKey.toString().contains(key));
    RadosSettings noPool =
        RadosSettings.of(ceph.folder().resolve("ceph.conf"), "evenkeel", "nothing")
            .withKeyring(ceph.folder().resolve("client.evenkeel.keyring"));
    assertEquals(
        ErrorKind.FAILED_PRECONDITION,
        assertThrows(EvenkeelException.class, () -> Ceph.open(noPool).close()).kind());
    RadosSettings noFile = RadosSettings.of(folder.resolve("none"), "evenkeel", "evenkeel");
    assertEquals(
        ErrorKind.INVALID,
        assertThrows(EvenkeelException.class, () -> Ceph.open(noFile).close()).kind());
    RadosSettings secret = settings.withOption("key", key);
    assertTrue(!secret.toString().contains(key));
  }

  @Test
  @DisplayName(
      "a value that nobody wrote with a field too many is refused, and the others are listed")
  void damaged() {
    try (RadosDatastore store = Ceph.open(settings)) {
      BlockingDatastore calls = store.blocking();
      calls.create(pair("a", 1), call());
      calls.create(pair("b", 2), call());
      Spot spot = store.spot(new ItemKey("b"));
      ceph.rados(settings, "setomapval", spot.home().object(), spot.key("number"), "many");
      assertThrows(
          DatastoreException.ParsingEntry.class, () -> calls.get(new ItemKey("b"), call()));
      assertEquals(1, calls.list(ListOptions.all(ItemKey.TYPE), call()).items().size());
      assertEquals(
          Optional.empty(),
          calls.delete(new ItemKey("b"), dev.evenkeel.api.datastore.Revision.NONE, call()).value());
    }
  }
}
