package dev.evenkeel.tck.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Watches of a store that tells the newest state of what has changed, and may leave out what was in
 * between (datastore reference, section 4, as far as it can hold then).
 */
public abstract class LatestWatchContract extends DatastoreContract {
  private static final ListOptions<Item> ALL = ListOptions.all(ItemKey.TYPE);

  /** For subclasses. */
  protected LatestWatchContract() {}

  @BeforeEach
  final void needsWatches() {
    assertTrue(can(Capability.LATEST_WATCH), "a store that cannot: extend NoWatchContract");
    assertFalse(can(Capability.ORDERED_WATCH), "a store that can more: extend WatchContract");
  }

  private Recorder<Item> recorder() {
    return new Recorder<>(patience());
  }

  private static WatchEvent<Item> added(KeyValue<Item> pair) {
    return new WatchEvent.Added<>(pair);
  }

  @Test
  @DisplayName("SY-22 a watch from a list's revision tells what has changed since, and goes on")
  void fromList() {
    Recorder<Item> seen = recorder();
    KeyValue<Item> a = create(key("a"), 1);
    KeyValue<Item> b = create(key("b"), 1);
    Revision listed = latest();
    calls().delete(key("a"), Revision.NONE, call());
    KeyValue<Item> changed = calls().update(b.with(item(2)), call());
    create(NodeKey.of("other", "kind"), 0);
    try (Watch watch = store().watch(ALL, listed, seen)) {
      List<WatchEvent<Item>> two = new ArrayList<>(seen.take(2));
      if (two.get(0) instanceof WatchEvent.Modified) {
        Collections.reverse(two);
      }
      var deleted = assertInstanceOf(WatchEvent.Deleted.class, two.get(0));
      assertEquals(key("a"), deleted.key());
      assertEquals(Optional.of(a), deleted.previous());
      assertNotEquals(a.revision(), deleted.revision(), "of the delete itself (4.13)");
      var modified = assertInstanceOf(WatchEvent.Modified.class, two.get(1));
      assertEquals(Optional.of(b), modified.previous());
      assertEquals(changed, modified.current());
      KeyValue<Item> c = create(key("c"), 3);
      assertEquals(List.of(added(c)), seen.take(1));
      end(watch, seen);
      seen.checkQuiet();
    }
  }

  @Test
  @DisplayName("SY-23 a watch without a revision begins with what is there, then goes on")
  void fromScratch() {
    KeyValue<Item> a = create(key("a"), 1);
    for (Revision scratch : List.of(Revision.NONE, Revision.ZERO)) {
      Recorder<Item> seen = recorder();
      try (Watch watch = store().watch(ALL, scratch, seen)) {
        assertEquals(List.of(added(a)), seen.take(1));
        KeyValue<Item> b = create(key("b"), 3);
        assertEquals(List.of(added(b)), seen.take(1));
        calls().delete(key("b"), b.revision(), call());
        var deleted = assertInstanceOf(WatchEvent.Deleted.class, seen.take(1).get(0));
        assertEquals(Optional.of(b), deleted.previous());
        end(watch, seen);
        seen.checkQuiet();
      }
    }
  }

  @Test
  @DisplayName("SY-24 a watch of one key tells of that key alone")
  void oneKey() {
    Recorder<Item> seen = recorder();
    try (Watch watch = store().watch(ListOptions.one(key("b")), latest(), seen)) {
      create(key("a"), 1);
      KeyValue<Item> b = create(key("b"), 2);
      create(key("bc"), 3);
      assertEquals(List.of(added(b)), seen.take(1));
      KeyValue<Item> changed = calls().update(b.with(item(4)), call());
      assertEquals(
          changed, assertInstanceOf(WatchEvent.Modified.class, seen.take(1).get(0)).current());
      end(watch, seen);
      seen.checkQuiet();
    }
  }

  private static KeyValue<Item> current(WatchEvent<Item> event) {
    if (event instanceof WatchEvent.Added<Item> added) {
      return added.current();
    }
    if (event instanceof WatchEvent.Modified<Item> modified) {
      return modified.current();
    }
    throw new AssertionError("neither added nor modified: " + event);
  }

  @Test
  @DisplayName("whatever is left out, the last state of every key is told, and nothing older after")
  void lastState() {
    Recorder<Item> seen = recorder();
    Map<String, KeyValue<Item>> last = new HashMap<>();
    Map<String, Integer> told = new HashMap<>();
    try (Watch watch = store().watch(ALL, latest(), seen)) {
      for (int i = 0; i < 60; i++) {
        String name = "n" + i % 3;
        last.put(name, apply(key(name), i));
      }
      List<KeyValue<Item>> missing = new ArrayList<>(last.values());
      while (!missing.isEmpty()) {
        WatchEvent<Item> event = seen.take(1).get(0);
        KeyValue<Item> now = current(event);
        int number = now.value().orElseThrow().number();
        Integer before = told.put(now.key().path(), number);
        assertTrue(before == null || before < number, () -> before + " before " + number);
        missing.remove(now);
      }
      end(watch, seen);
      seen.checkQuiet();
    }
  }

  @Test
  @DisplayName("SY-11 a parent's delete is one event for each leaf")
  void deleteParent() {
    create(NodeKey.of("p", "1"), 1);
    create(NodeKey.of("p", "2"), 2);
    create(NodeKey.of("pp", "1"), 3);
    Recorder<Item> seen = recorder();
    ListOptions<Item> nodes = ListOptions.all(NodeKey.TYPE);
    Revision listed = calls().list(nodes, call()).revision();
    try (Watch watch = store().watch(nodes, listed, seen)) {
      calls().delete(NodeKey.group("p"), Revision.NONE, call());
      Set<Object> gone = new HashSet<>();
      for (WatchEvent<Item> event : seen.take(2)) {
        gone.add(assertInstanceOf(WatchEvent.Deleted.class, event).key());
      }
      assertEquals(Set.of(NodeKey.of("p", "1"), NodeKey.of("p", "2")), gone);
      end(watch, seen);
      seen.checkQuiet();
    }
  }

  @Test
  @DisplayName("3.14 cleaning is one delete for each key")
  void clean() {
    create(key("a"), 1);
    create(key("b"), 2);
    Recorder<Item> seen = recorder();
    try (Watch watch = store().watch(ALL, latest(), seen)) {
      calls().clean(call());
      for (WatchEvent<Item> event : seen.take(2)) {
        assertInstanceOf(WatchEvent.Deleted.class, event);
      }
      assertEquals(List.of(), paths(ALL));
      end(watch, seen);
      seen.checkQuiet();
    }
  }

  @Test
  @DisplayName("SY-27 many watches ended at any moment all close, with whole events only")
  void manyWatches() {
    List<Watch> watches = new ArrayList<>();
    List<Recorder<Item>> recorders = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Recorder<Item> seen = recorder();
      recorders.add(seen);
      watches.add(store().watch(ALL, Revision.NONE, seen));
      if (i % 5 == 4) {
        create(key("a"), i);
        watches.get(i - 2).close();
        calls().delete(key("a"), Revision.NONE, call());
      }
    }
    watches.forEach(Watch::close);
    for (int i = 0; i < 50; i++) {
      recorders.get(i).awaitClosed();
      Watch watch = watches.get(i);
      eventually("the watch has terminated", watch::hasTerminated);
      recorders.get(i).check();
    }
  }

  @Test
  @DisplayName("SY-29 an ended watch closes without an error, once and again")
  void close() {
    Recorder<Item> seen = recorder();
    Watch watch = store().watch(ALL, Revision.NONE, seen);
    watch.close();
    end(watch, seen);
    eventually("the watch has terminated", watch::hasTerminated);
    create(key("a"), 1);
    seen.checkQuiet();
  }

  @Test
  @DisplayName("SY-29 a closed store ends its watches without an error, and takes no more")
  void closeWithStore() {
    Recorder<Item> seen = recorder();
    Watch watch = store().watch(ALL, Revision.NONE, seen);
    store().close();
    seen.awaitClosed();
    eventually("the watch has terminated", watch::hasTerminated);
    seen.checkQuiet();
    var refused =
        refused(EvenkeelException.class, () -> store().watch(ALL, Revision.NONE, seen).close());
    assertEquals(ErrorKind.UNAVAILABLE, refused.kind());
  }

  @Test
  @DisplayName("4.5 an observer that does not return holds no write up, and misses no last state")
  void slow() throws InterruptedException {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Recorder<Item> seen = recorder();
    Watch.Observer<Item> slow =
        new Watch.Observer<>() {
          @Override
          public void onEvent(WatchEvent<Item> event) {
            blocked.countDown();
            try {
              assertTrue(release.await(patience().toMillis(), TimeUnit.MILLISECONDS));
            } catch (InterruptedException interrupted) {
              Thread.currentThread().interrupt();
            }
            seen.onEvent(event);
          }

          @Override
          public void onError(DatastoreException failure) {
            seen.onError(failure);
          }

          @Override
          public void onClosed() {
            seen.onClosed();
          }
        };
    try (Watch watch = store().watch(ALL, latest(), slow)) {
      List<KeyValue<Item>> expected = new ArrayList<>();
      expected.add(create(key("first"), 0));
      assertTrue(blocked.await(patience().toMillis(), TimeUnit.MILLISECONDS));
      for (int i = 0; i < 100; i++) {
        expected.add(create(key("n" + i), i));
      }
      release.countDown();
      for (WatchEvent<Item> event : seen.take(101)) {
        assertTrue(
            expected.remove(assertInstanceOf(WatchEvent.Added.class, event).current()),
            event::toString);
      }
      end(watch, seen);
      seen.checkQuiet();
    }
  }

  @Test
  @DisplayName("SY-30 a watch from a revision that cannot be gone on from: an error, then the end")
  void unknown() {
    Recorder<Item> seen = recorder();
    Revision written = create(key("a"), 1).revision();
    try (Watch watch = store().watch(ALL, written, seen)) {
      assertNotEquals(ErrorKind.INTERNAL, seen.awaitError().kind());
      eventually("the watch has terminated", watch::hasTerminated);
      seen.check();
    }
  }

  @Test
  @DisplayName("SY-31, 4.1 bad options or a revision that no store gave are errors of the call")
  void oddCalls() {
    Recorder<Item> seen = recorder();
    NodeKey nowhere = NodeKey.of("", "a");
    for (Runnable body :
        List.<Runnable>of(
            () -> store().watch(ListOptions.one(nowhere), Revision.NONE, seen).close(),
            () -> store().watch(ALL, new Revision("abc!"), seen).close())) {
      assertEquals(ErrorKind.INVALID, refused(EvenkeelException.class, body::run).kind());
    }
    seen.checkQuiet();
  }
}
