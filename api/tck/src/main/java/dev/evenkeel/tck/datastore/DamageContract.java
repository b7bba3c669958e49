package dev.evenkeel.tck.datastore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Stored bytes that nothing can decode (datastore reference, sections 3 and 4). */
public abstract class DamageContract extends DatastoreContract {
  private static final byte[] GARBAGE = {(byte) 0xff, 0, 1};
  private static final ListOptions<Item> ALL = ListOptions.all(ItemKey.TYPE);

  /** For subclasses. */
  protected DamageContract() {}

  /** Stores bytes that cannot be decoded under a path, behind the client's back. */
  protected abstract void putGarbage(Datastore target, String path, byte[] bytes) throws Exception;

  @Test
  @DisplayName("SY-13 undecodable bytes: get gives them, create sees the key, delete succeeds")
  void reads() throws Exception {
    String path = key("a").path();
    putGarbage(store(), path, GARBAGE);
    var unparsable =
        refused(DatastoreException.ParsingEntry.class, () -> calls().get(key("a"), call()));
    assertEquals(path, unparsable.identifier());
    assertArrayEquals(GARBAGE, unparsable.rawValue());
    var exists = refused(DatastoreException.AlreadyExists.class, () -> create(key("a"), 1));
    assertEquals(Optional.empty(), exists.existing());
    KeyValue<Item> gone = calls().delete(key("a"), Revision.NONE, call());
    assertEquals(Optional.empty(), gone.value());
    assertEquals(Optional.empty(), calls().find(key("a"), call()));
  }

  @Test
  @DisplayName("SY-18 a list leaves an undecodable entry out")
  void lists() throws Exception {
    for (int i = 0; i < 4; i++) {
      create(key("n" + i), i);
    }
    putGarbage(store(), key("n2x").path(), GARBAGE);
    assertEquals(4, paths(ALL).size());
  }

  @Test
  @DisplayName("4.8 an undecodable value is told as such, and the watch goes on")
  void watched() throws Exception {
    Recorder<Item> seen = new Recorder<>(patience());
    create(key("a"), 1);
    if (can(Capability.LATEST_WATCH)) {
      watchedLatest(seen);
      return;
    }
    if (!can(Capability.ORDERED_WATCH)) {
      assertNotSupported("watch", ALL.root(), () -> store().watch(ALL, latest(), seen).close());
      return;
    }
    try (Watch watch = store().watch(ALL, latest(), seen)) {
      putGarbage(store(), key("a").path(), GARBAGE);
      KeyValue<Item> good = apply(key("a"), 2);
      List<WatchEvent<Item>> two = seen.take(2);
      var odd = assertInstanceOf(WatchEvent.Unparsable.class, two.get(0));
      assertEquals(Optional.of(key("a")), odd.key());
      assertEquals(key("a").path(), odd.rawKey());
      assertArrayEquals(GARBAGE, (byte[]) odd.rawValue().orElseThrow());
      var modified = assertInstanceOf(WatchEvent.Modified.class, two.get(1));
      assertEquals(Optional.empty(), modified.previous());
      assertEquals(good, modified.current());
      end(watch, seen);
    }
  }

  /** One after the other, as what comes in between may be left out. */
  private void watchedLatest(Recorder<Item> seen) throws Exception {
    try (Watch watch = store().watch(ALL, latest(), seen)) {
      putGarbage(store(), key("a").path(), GARBAGE);
      var odd = assertInstanceOf(WatchEvent.Unparsable.class, seen.take(1).get(0));
      assertEquals(Optional.of(key("a")), odd.key());
      assertEquals(key("a").path(), odd.rawKey());
      assertArrayEquals(GARBAGE, (byte[]) odd.rawValue().orElseThrow());
      KeyValue<Item> good = apply(key("a"), 2);
      var modified = assertInstanceOf(WatchEvent.Modified.class, seen.take(1).get(0));
      assertEquals(Optional.empty(), modified.previous());
      assertEquals(good, modified.current());
      end(watch, seen);
    }
  }
}
