package dev.evenkeel.store.rados;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What lies where, seen with the {@code rados} tool (operations reference, 1.1). */
class RadosLayoutTest {
  private static final String UUID = "0f6b4a51-6a3c-4b5e-9d43-0a1b2c3d4e5f";

  private final Ceph ceph = Ceph.get();
  private final RadosSettings settings = ceph.settings();

  private static Call call() {
    return Call.usual();
  }

  private static ObjectRecord record(String name) {
    return new ObjectRecord(
        1,
        UUID,
        "id-1",
        name,
        ObjectRecord.State.RESERVED,
        "csi-vol-" + UUID,
        Optional.empty(),
        1L << 30,
        Optional.empty(),
        new TreeMap<>(),
        "tx-1",
        Instant.EPOCH);
  }

  private Set<String> lines(String... command) {
    TreeSet<String> lines = new TreeSet<>();
    for (String line : ceph.rados(settings, command).split("\n", -1)) {
      if (!line.isEmpty()) {
        lines.add(line);
      }
    }
    return lines;
  }

  /** The value of an OMAP key, as the tool gives it. */
  private String value(String object, String key) throws Exception {
    var file = java.nio.file.Files.createTempFile("evenkeel-omap", ".value");
    try {
      ceph.rados(settings, "getomapval", object, key, file.toString());
      return java.nio.file.Files.readString(file);
    } finally {
      java.nio.file.Files.delete(file);
    }
  }

  @Test
  @DisplayName("OP 1.1 a reservation lies as ceph-csi lays it, and goes without a trace")
  void reservation() throws Exception {
    NameKey name = new NameKey(ObjectKind.VOLUME, "pvc 1/ä");
    ObjectKey object = new ObjectKey(ObjectKind.VOLUME, UUID);
    try (RadosDatastore store = Ceph.open(settings)) {
      BlockingDatastore calls = store.blocking();
      calls.create(KeyValue.of(name, new NameRecord(UUID)), call());
      KeyValue<ObjectRecord> made = calls.create(KeyValue.of(object, record("pvc 1/ä")), call());
      assertEquals(
          new TreeSet<>(List.of("csi.volumes.default", "csi.volume." + UUID)), lines("ls"));
      assertEquals(UUID, value("csi.volumes.default", "csi.volume.pvc 1/ä"));
      assertEquals("pvc 1/ä", value("csi.volume." + UUID, "csi.volname"));
      assertEquals("csi-vol-" + UUID, value("csi.volume." + UUID, "csi.imagename"));
      ObjectRecord complete = record("pvc 1/ä").created("image-7", 2L << 30, "tx-2");
      calls.update(made.with(complete), call());
      assertEquals("image-7", value("csi.volume." + UUID, "csi.imageid"));
      assertEquals(Optional.of(complete), calls.get(object, call()).value());
      assertEquals(
          List.of(name),
          calls.list(ListOptions.all(NameKey.VOLUMES), call()).items().stream()
              .map(KeyValue::key)
              .toList());
      assertEquals(
          List.of(object),
          calls.list(ListOptions.all(ObjectKey.VOLUMES), call()).items().stream()
              .map(KeyValue::key)
              .toList());
      calls.delete(object, Revision.NONE, call());
      calls.delete(name, Revision.NONE, call());
      assertEquals(new TreeSet<>(List.of("csi.volumes.default")), lines("ls"));
      assertEquals(new TreeSet<>(), lines("listomapkeys", "csi.volumes.default"));
    }
  }

  @Test
  @DisplayName("OP 1.1 what ceph-csi wrote is read, changed by compare-and-set, and keeps the rest")
  void foreign() throws Exception {
    String object = "csi.volume." + UUID;
    ceph.rados(settings, "create", object);
    ceph.rados(settings, "setomapval", "csi.volumes.default", "csi.volume.pvc-9", UUID);
    ceph.rados(settings, "setomapval", object, "csi.volname", "pvc-9");
    ceph.rados(settings, "setomapval", object, "csi.imageid", "abc123");
    ceph.rados(settings, "setomapval", object, "csi.volume.owner", "tenant-1");
    ceph.rados(settings, "create", "csi.volume.group." + UUID);
    String inPool = "0000000000000003/" + UUID;
    ceph.rados(settings, "setomapval", "csi.snaps.default", "csi.snap.s", inPool);
    ObjectKey key = new ObjectKey(ObjectKind.VOLUME, UUID);
    try (RadosDatastore store = Ceph.open(settings.withClusterId("cluster-1"))) {
      BlockingDatastore calls = store.blocking();
      NameKey name = new NameKey(ObjectKind.VOLUME, "pvc-9");
      assertEquals(Optional.of(new NameRecord(UUID)), calls.get(name, call()).value());
      NameKey snap = new NameKey(ObjectKind.SNAPSHOT, "s");
      assertEquals(Optional.of(new NameRecord(UUID)), calls.get(snap, call()).value());
      KeyValue<ObjectRecord> read = calls.get(key, call());
      ObjectRecord record = read.value().orElseThrow();
      assertEquals("pvc-9", record.name());
      assertEquals("csi-vol-" + UUID, record.image(), "older versions stored none");
      assertEquals(ObjectRecord.State.CREATED, record.state());
      assertTrue(record.id().startsWith("0001-0009-cluster-1-"), record.id());
      assertEquals(1, calls.list(ListOptions.all(ObjectKey.VOLUMES), call()).items().size());
      assertThrows(
          DatastoreException.AlreadyExists.class,
          () -> calls.create(KeyValue.of(key, record), call()));
      KeyValue<ObjectRecord> changed =
          calls.update(read.with(record.in(ObjectRecord.State.UNKNOWN, "tx-3")), call());
      assertThrows(DatastoreException.UpdateConflict.class, () -> calls.update(read, call()));
      assertEquals(changed, calls.get(key, call()));
      assertEquals("tenant-1", value(object, "csi.volume.owner"));
      calls.delete(name, Revision.NONE, call());
      assertEquals(new TreeSet<>(), lines("listomapkeys", "csi.volumes.default"));
    }
  }

  @Test
  @DisplayName("J2 an empty object of ceph-csi counts as no record, and is taken")
  void unfinished() {
    ceph.rados(settings, "create", "csi.volume." + UUID);
    ObjectKey key = new ObjectKey(ObjectKind.VOLUME, UUID);
    try (RadosDatastore store = Ceph.open(settings)) {
      BlockingDatastore calls = store.blocking();
      assertEquals(Optional.empty(), calls.find(key, call()));
      KeyValue<ObjectRecord> made = calls.create(KeyValue.of(key, record("pvc-2")), call());
      assertEquals(made, calls.get(key, call()));
    }
  }

  @Test
  @DisplayName("a list goes on over pages, and gives each record whole")
  void pages() {
    try (RadosDatastore store = Ceph.open(settings)) {
      List<CompletableFuture<KeyValue<Item>>> made = new ArrayList<>();
      for (int i = 0; i < 700; i++) {
        KeyValue<Item> pair =
            KeyValue.of(new ItemKey("n" + (10_000 + i)), new Item("text " + i, i));
        made.add(store.create(pair, Call.usual()).toCompletableFuture());
      }
      List<KeyValue<Item>> expected = made.stream().map(CompletableFuture::join).toList();
      // Four keys each: more than two pages of the cluster's.
      var list = store.blocking().list(ListOptions.all(ItemKey.TYPE), call());
      assertEquals(expected, list.items());
    }
  }

  @Test
  @DisplayName("several keys of one object are one batch; fields that are gone are gone")
  void batch() {
    try (RadosDatastore store = Ceph.open(settings)) {
      BlockingDatastore calls = store.blocking();
      KeyValue<Item> a = calls.create(KeyValue.of(new ItemKey("a"), new Item("x", 1)), call());
      calls.create(KeyValue.of(new ItemKey("gone"), new Item("x", 2)), call());
      Revision revision =
          calls.commit(
              List.of(new Guard.At(a.key(), a.revision()), new Guard.Absent(new ItemKey("never"))),
              List.of(
                  new Write.Put<>(new ItemKey("a"), new Item("y", 3)),
                  new Write.Put<>(new ItemKey("b"), new Item("z", 4)),
                  new Write.Remove(new ItemKey("gone"))),
              call());
      var list = calls.list(ListOptions.all(ItemKey.TYPE), call()).items();
      assertEquals(2, list.size());
      list.forEach(pair -> assertEquals(revision, pair.revision()));
      assertEquals(a.uid(), list.get(0).uid());
      assertThrows(
          DatastoreException.UpdateConflict.class,
          () ->
              calls.commit(
                  List.of(new Guard.At(a.key(), a.revision())),
                  List.of(new Write.Put<>(new ItemKey("c"), new Item("z", 5))),
                  call()));
      assertEquals(2, calls.list(ListOptions.all(ItemKey.TYPE), call()).items().size());
    }
  }

  @Test
  @DisplayName("a kind may have a pool of its own")
  void pools() {
    RadosSettings two = settings.withPool(ItemKey.TYPE.name(), "other");
    try (RadosDatastore store = Ceph.open(two)) {
      store.blocking().create(KeyValue.of(new ItemKey("a"), new Item("x", 1)), call());
      assertEquals(1, store.blocking().list(ListOptions.all(ItemKey.TYPE), call()).items().size());
    }
    assertEquals(new TreeSet<>(), lines("ls"));
    try (RadosDatastore elsewhere = Ceph.open(settings)) {
      assertEquals(Optional.empty(), elsewhere.blocking().find(new ItemKey("a"), call()));
    }
    try (RadosDatastore again = Ceph.open(two)) {
      again.blocking().clean(call());
      assertEquals(Optional.empty(), again.blocking().find(new ItemKey("a"), call()));
    }
  }

  @Test
  @DisplayName("odd keys come back, or are refused by type; so is a value of 10 MB")
  void oddInput() {
    try (RadosDatastore store = Ceph.open(settings)) {
      BlockingDatastore calls = store.blocking();
      StringBuilder every = new StringBuilder();
      for (char c = 1; c < 256; c++) {
        every.append(c);
      }
      for (String name :
          List.of(every.toString(), "\t", "\n", " ", "..", "%2F", "日本\uD83D\uDE80")) {
        KeyValue<Item> made =
            calls.create(KeyValue.of(new ItemKey(name), new Item(name, 1)), call());
        assertEquals(made, calls.get(new ItemKey(name), call()));
      }
      assertEquals(7, calls.list(ListOptions.all(ItemKey.TYPE), call()).items().size());
      for (var refused :
          List.of(
              KeyValue.of(new ItemKey("x".repeat(3_000)), new Item("", 1)),
              KeyValue.of(new ItemKey("half"), new Item("\uD83D", 1)),
              KeyValue.of(new ItemKey("big"), new Item("x".repeat(10 << 20), 1)))) {
        var failed = assertThrows(EvenkeelException.class, () -> calls.create(refused, call()));
        assertTrue(
            failed.kind() == ErrorKind.INVALID || failed.kind() == ErrorKind.OUT_OF_RANGE,
            failed.toString());
        assertEquals(Optional.empty(), find(calls, refused));
      }
      KeyValue<Item> large =
          calls.create(KeyValue.of(new ItemKey("large"), new Item("x".repeat(500_000), 1)), call());
      assertEquals(large, calls.get(new ItemKey("large"), call()));
    }
  }

  private static Optional<KeyValue<Item>> find(BlockingDatastore calls, KeyValue<Item> pair) {
    return pair.key().path().length() > 1_000 ? Optional.empty() : calls.find(pair.key(), call());
  }
}
