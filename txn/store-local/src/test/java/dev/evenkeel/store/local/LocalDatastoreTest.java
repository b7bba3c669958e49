package dev.evenkeel.store.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDatastoreTest {
  private static final Call CALL = Call.usual();

  @TempDir Path folder;

  private LocalDatastore open() {
    return LocalDatastore.open(folder.resolve("state/store"), new JacksonCodecs());
  }

  private static Key<NameRecord> key(String name) {
    return new NameKey(ObjectKind.VOLUME, name);
  }

  @Test
  @DisplayName("what was written is there after closing and opening, revisions and epoch included")
  void reopen() {
    KeyValue<NameRecord> a;
    Revision list;
    try (LocalDatastore store = open()) {
      BlockingDatastore calls = store.blocking();
      a = calls.create(KeyValue.of(key("a"), new NameRecord("u")), CALL.under(new Epoch(7)));
      var b = calls.create(KeyValue.of(key("b"), new NameRecord("v")), CALL);
      calls.delete(key("b"), b.revision(), CALL);
      list = calls.list(ListOptions.all(NameKey.VOLUMES), CALL).revision();
    }
    try (LocalDatastore store = open()) {
      BlockingDatastore calls = store.blocking();
      assertEquals(a, calls.get(key("a"), CALL));
      var found = calls.list(ListOptions.all(NameKey.VOLUMES), CALL);
      assertEquals(List.of(a), found.items());
      assertEquals(list, found.revision());
      assertThrows(
          DatastoreException.Fenced.class,
          () -> calls.apply(KeyValue.of(key("c"), new NameRecord("w")), CALL.under(new Epoch(6))));
      var c = calls.create(KeyValue.of(key("c"), new NameRecord("w")), CALL);
      assertFalse(c.revision().equals(a.revision()) || c.revision().equals(list));
    }
  }

  @Test
  @DisplayName("a store is open once: the second opening says so, and who has it")
  void inUse() {
    LocalDatastore store = open();
    try (store) {
      for (int i = 0; i < 2; i++) {
        var refused = assertThrows(EvenkeelException.class, this::open);
        assertEquals(ErrorKind.FAILED_PRECONDITION, refused.kind());
        assertTrue(refused.toString().contains("in use by this process"), refused.toString());
      }
    }
    open().close();
    store.close();
  }

  @Test
  @DisplayName("a closed store refuses everything, and leaves no thread")
  void closed() {
    LocalDatastore store = open();
    var made = store.blocking().create(KeyValue.of(key("a"), new NameRecord("u")), CALL);
    store.close();
    for (Runnable call :
        List.<Runnable>of(
            () -> store.blocking().get(key("a"), CALL),
            () -> store.blocking().list(ListOptions.all(NameKey.VOLUMES), CALL),
            () -> store.blocking().apply(made, CALL),
            () -> store.blocking().ensureInitialized(CALL))) {
      assertEquals(ErrorKind.UNAVAILABLE, assertThrows(EvenkeelException.class, call::run).kind());
    }
    assertEquals(
        List.of(),
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.startsWith("evenkeel-local"))
            .toList());
  }

  @Test
  @DisplayName("a file, an unwritable place, a newer format and a foreign folder are told apart")
  void odd() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertEquals(ErrorKind.INVALID, refusal(file).kind());
    // Root may write everywhere but here.
    assertEquals(ErrorKind.UNAUTHORIZED, refusal(unwritable()).kind());
    open().close();
    Path format = folder.resolve("state/store/FORMAT");
    Files.writeString(format, "evenkeel-local-store 2\n");
    assertThrows(DatastoreException.NewerVersion.class, this::open);
    Files.writeString(format, "something else");
    assertEquals(
        ErrorKind.FAILED_PRECONDITION, assertThrows(DatastoreException.class, this::open).kind());
    Files.delete(format);
    assertEquals(
        ErrorKind.FAILED_PRECONDITION, assertThrows(DatastoreException.class, this::open).kind());
    Files.writeString(format, "evenkeel-local-store 1\n");
    open().close();
  }

  private static DatastoreException refusal(Path place) {
    return assertThrows(
        DatastoreException.class, () -> LocalDatastore.open(place, new JacksonCodecs()));
  }

  private Path unwritable() throws IOException {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    return Files.isWritable(closed)
            && closed.toFile().setWritable(false, false)
            && !Files.isWritable(closed)
        ? closed
        : Path.of("/sys/evenkeel");
  }

  @Test
  @DisplayName("writes that wait are made durable together, in order and without loss")
  void group() {
    try (LocalDatastore store = open()) {
      List<CompletableFuture<KeyValue<NameRecord>>> all =
          IntStream.range(0, 2_000)
              .mapToObj(
                  i ->
                      store
                          .create(KeyValue.of(key("n" + i), new NameRecord("u" + i)), CALL)
                          .toCompletableFuture())
              .toList();
      TreeSet<Long> revisions = new TreeSet<>();
      all.forEach(stage -> revisions.add(Long.parseLong(stage.join().revision().text())));
      assertEquals(2_000, revisions.size());
      assertEquals(
          2_000, store.blocking().list(ListOptions.all(NameKey.VOLUMES), CALL).items().size());
    }
  }
}
