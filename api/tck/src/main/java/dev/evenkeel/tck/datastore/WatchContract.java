package dev.evenkeel.tck.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Watches of a store that declares them (datastore reference, section 4). */
public abstract class WatchContract extends DatastoreContract {
  private static final ListOptions<Item> ALL = ListOptions.all(ItemKey.TYPE);

  /** For subclasses. */
  protected WatchContract() {}

  /**
   * Forgets the store's history of changes; false from a store that never does, and then all of it
   * must be told.
   */
  protected abstract boolean compact(Datastore target) throws Exception;

  @BeforeEach
  final void needsWatches() {
    assertTrue(can(Capability.ORDERED_WATCH), "a store that cannot: extend NoWatchContract");
  }

  private Recorder<Item> recorder() {
    return new Recorder<>(patience());
  }

  private static WatchEvent<Item> added(KeyValue<Item> pair) {
    return new WatchEvent.Added<>(pair);
  }

  @Test
  @DisplayName("SY-22 a watch from a list's revision tells everything since, in order")
  void fromList() {
    Recorder<Item> seen = recorder();
    Revision before = latest();
    KeyValue<Item> a = create(key("a"), 1);
    KeyValue<Item> b = create(key("b"), 2);
    create(NodeKey.of("other", "kind"), 0);
    calls().delete(key("a"), Revision.NONE, call());
    try (Watch watch = store().watch(ALL, before, seen)) {
      List<WatchEvent<Item>> three = seen.take(3);
      assertEquals(List.of(added(a), added(b)), three.subList(0, 2));
      var deleted = assertInstanceOf(WatchEvent.Deleted.class, three.get(2));
      assertEquals(key("a"), deleted.key());
      assertEquals(Optional.of(a), deleted.previous());
      assertNotEquals(a.revision(), deleted.revision(), "of the delete itself (4.13)");
      KeyValue<Item> changed = calls().update(b.with(item(3)), call());
      var modified = assertInstanceOf(WatchEvent.Modified.class, seen.take(1).get(0));
      assertEquals(changed, modified.current());
      assertTrue(
          modified.previous().isEmpty() || modified.previous().equals(Optional.of(b)),
          "best effort");
      end(watch, seen);
      seen.checkQuiet();
    }
  }

  @Test
  @DisplayName("SY-23 a watch without a revision begins with what is there, then goes on")
  void fromScratch() {
    for (Revision scratch : List.of(Revision.NONE, Revision.ZERO)) {
      Recorder<Item> seen = recorder();
      KeyValue<Item> a = apply(key("a"), 1);
      a = calls().update(a.with(item(2)), call());
      try (Watch watch = store().watch(ALL, scratch, seen)) {
        assertEquals(List.of(added(a)), seen.take(1));
        KeyValue<Item> b = create(key("b"), 3);
        assertEquals(List.of(added(b)), seen.take(1));
        calls().delete(key("b"), b.revision(), call());
        assertInstanceOf(WatchEvent.Deleted.class, seen.take(1).get(0));
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
      KeyValue<Item> changed = calls().update(b.with(item(4)), call());
      List<WatchEvent<Item>> two = seen.take(2);
      assertEquals(added(b), two.get(0));
      assertEquals(changed, assertInstanceOf(WatchEvent.Modified.class, two.get(1)).current());
      end(watch, seen);
      seen.checkQuiet();
    }
  }

  @Test
  @DisplayName("SY-25 a watch resumed after its last event tells exactly what came since")
  void resume() {
    Recorder<Item> first = recorder();
    Revision last;
    try (Watch watch = store().watch(ALL, latest(), first)) {
      create(key("a"), 1);
      last = create(key("b"), 2).revision();
      var unused = first.take(2);
      end(watch, first);
    }
    KeyValue<Item> changed = apply(key("a"), 3);
    Recorder<Item> second = recorder();
    try (Watch watch = store().watch(ALL, last, second)) {
      assertEquals(
          changed, assertInstanceOf(WatchEvent.Modified.class, second.take(1).get(0)).current());
      end(watch, second);
      second.checkQuiet();
    }
  }

  @Test
  @DisplayName("SY-10 a watch sees an expiry as a delete, and nothing of a write that is refused")
  void expiry() {
    Recorder<Item> seen = recorder();
    try (Watch watch = store().watch(ALL, latest(), seen)) {
      KeyValue<Item> brief = KeyValue.of(key("a"), item(1)).livingFor(Duration.ofMillis(200));
      if (!can(Capability.TTL)) {
        assertNotSupported("create", key("a").path(), () -> calls().create(brief, call()));
        KeyValue<Item> kept = create(key("a"), 2);
        assertEquals(List.of(added(kept)), seen.take(1));
        end(watch, seen);
        seen.checkQuiet();
        return;
      }
      calls().create(brief, call());
      var unused = seen.take(1);
      passTime(Duration.ofMillis(1_100));
      var gone = assertInstanceOf(WatchEvent.Deleted.class, seen.take(1).get(0));
      assertEquals(key("a"), gone.key());
      end(watch, seen);
    }
  }

  @Test
  @DisplayName("SY-11 a parent's delete is one event for each leaf, all at one revision")
  void deleteParent() {
    Recorder<Item> seen = recorder();
    create(NodeKey.of("p", "1"), 1);
    create(NodeKey.of("p", "2"), 2);
    create(NodeKey.of("pp", "1"), 3);
    try (Watch watch = store().watch(ListOptions.all(NodeKey.TYPE), latest(), seen)) {
      calls().delete(NodeKey.group("p"), Revision.NONE, call());
      KeyValue<Item> after = create(NodeKey.of("q", "1"), 4);
      List<WatchEvent<Item>> three = seen.take(3);
      var one = assertInstanceOf(WatchEvent.Deleted.class, three.get(0));
      var two = assertInstanceOf(WatchEvent.Deleted.class, three.get(1));
      assertEquals(
          List.of(NodeKey.of("p", "1"), NodeKey.of("p", "2")), List.of(one.key(), two.key()));
      assertEquals(one.revision(), two.revision());
      assertEquals(added(after), three.get(2));
      end(watch, seen);
    }
  }

  @Test
  @DisplayName("3.14 cleaning is one delete for each key")
  void clean() {
    Recorder<Item> seen = recorder();
    create(key("a"), 1);
    create(key("b"), 2);
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
  @DisplayName("SY-27 a hundred watches ended at any moment all close, with whole events only")
  void manyWatches() throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    Thread busy =
        new Thread(
            () -> {
              try {
                while (!stop.get()) {
                  create(key("a"), 1);
                  calls().delete(key("a"), Revision.NONE, call());
                }
              } catch (RuntimeException odd) {
                failed.set(odd);
              }
            });
    busy.start();
    List<Watch> watches = new ArrayList<>();
    List<Recorder<Item>> recorders = new ArrayList<>();
    var random = new java.util.Random(27);
    for (int i = 0; i < 100; i++) {
      Recorder<Item> seen = recorder();
      recorders.add(seen);
      watches.add(store().watch(ALL, Revision.NONE, seen));
      if (i >= 10) {
        watches.get(i - random.nextInt(10)).close();
      }
    }
    watches.forEach(Watch::close);
    for (int i = 0; i < 100; i++) {
      recorders.get(i).awaitClosed();
      Watch watch = watches.get(i);
      eventually("the watch has terminated", watch::hasTerminated);
      recorders.get(i).check();
    }
    stop.set(true);
    busy.join(patience().toMillis());
    assertEquals(Optional.empty(), Optional.ofNullable(failed.get()));
  }

  @Test
  @DisplayName("SY-29 an ended watch closes without an error, at once, once and again")
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
  @DisplayName("SY-29 a closed store ends its watches without an error")
  void closeStore2() {
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
  @DisplayName("4.5 an observer that does not return holds no write up, and loses nothing")
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
      List<WatchEvent<Item>> expected = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        expected.add(added(create(key("n" + i), i)));
      }
      assertTrue(blocked.await(patience().toMillis(), TimeUnit.MILLISECONDS));
      release.countDown();
      assertEquals(expected, seen.take(300));
      end(watch, seen);
    }
  }

  @Test
  @DisplayName("SY-30 a watch from before what is kept: an error, then the end")
  void compacted() throws Exception {
    Recorder<Item> seen = recorder();
    Revision old = create(key("a"), 1).revision();
    KeyValue<Item> newer = apply(key("a"), 2);
    boolean forgets = compact(store());
    try (Watch watch = store().watch(ALL, old, seen)) {
      if (forgets) {
        assertNotEquals(ErrorKind.INTERNAL, seen.awaitError().kind());
        eventually("the watch has terminated", watch::hasTerminated);
      } else {
        assertEquals(
            newer, assertInstanceOf(WatchEvent.Modified.class, seen.take(1).get(0)).current());
        end(watch, seen);
      }
      seen.check();
    }
  }

  @Test
  @DisplayName("SY-31 a name without its directory is an error of the call, and there is no stream")
  void noDirectory() {
    Recorder<Item> seen = recorder();
    NodeKey nowhere = NodeKey.of("", "a");
    var refused =
        refused(
            EvenkeelException.class,
            () -> store().watch(ListOptions.one(nowhere), Revision.NONE, seen).close());
    assertEquals(ErrorKind.INVALID, refused.kind());
    seen.checkQuiet();
  }

  @Test
  @DisplayName("4.1 a revision that no store gave is an error of the call itself")
  void oddRevision() {
    Recorder<Item> seen = recorder();
    var refused =
        refused(
            EvenkeelException.class, () -> store().watch(ALL, new Revision("abc!"), seen).close());
    assertEquals(ErrorKind.INVALID, refused.kind());
    seen.checkQuiet();
  }
}
