package dev.evenkeel.tck.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.KeyValueList;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Single keys: create, update, apply, delete, get, list (datastore reference, sections 2, 3, 9).
 */
public abstract class ClientContract extends DatastoreContract {
  /** For subclasses. */
  protected ClientContract() {}

  private static KeyValue<Item> pair(Key<Item> key, int number) {
    return KeyValue.of(key, item(number));
  }

  @Test
  @DisplayName("SY-01 an update of an absent key says so and stores nothing")
  void updateAbsent() {
    Revision old = create(key("other"), 1).revision();
    for (Revision revision : List.of(old, Revision.NONE)) {
      refused(
          DatastoreException.DoesNotExist.class,
          () -> calls().update(pair(key("a"), 1).at(revision), call()));
    }
    assertEquals(Optional.empty(), calls().find(key("a"), call()));
  }

  @Test
  @DisplayName("SY-02 a create of an existing key gives the existing pair and changes nothing")
  void createExisting() {
    KeyValue<Item> first = create(key("a"), 1);
    var refused = refused(DatastoreException.AlreadyExists.class, () -> create(key("a"), 2));
    assertEquals(Optional.of(first), refused.existing());
    assertEquals(first, calls().get(key("a"), call()));
  }

  @Test
  @DisplayName("SY-03 an update with a stale revision gives the current pair and changes nothing")
  void updateStale() {
    KeyValue<Item> first = create(key("a"), 1);
    KeyValue<Item> second = calls().update(first.with(item(2)), call());
    assertNotEquals(first.revision(), second.revision());
    var refused =
        refused(
            DatastoreException.UpdateConflict.class,
            () -> calls().update(first.with(item(3)), call()));
    assertEquals(Optional.of(second), refused.current());
    assertEquals(ErrorKind.BUSY, refused.kind());
    assertEquals(second, calls().get(key("a"), call()));
  }

  @Test
  @DisplayName("3.3 an update without a revision needs the key and wins over what is there")
  void updateWithoutRevision() {
    create(key("a"), 1);
    KeyValue<Item> second = calls().update(pair(key("a"), 2), call());
    assertEquals(second, calls().get(key("a"), call()));
    assertEquals(Optional.of(item(2)), second.value());
  }

  @Test
  @DisplayName("apply creates or overwrites, and with a revision only over exactly that one")
  void applies() {
    KeyValue<Item> first = apply(key("a"), 1);
    KeyValue<Item> second = apply(key("a"), 2);
    KeyValue<Item> third = calls().apply(second.with(item(3)), call());
    assertEquals(third, calls().get(key("a"), call()));
    var stale =
        refused(
            DatastoreException.UpdateConflict.class,
            () -> calls().apply(first.with(item(4)), call()));
    assertEquals(Optional.of(third), stale.current());
    var absent =
        refused(
            DatastoreException.UpdateConflict.class,
            () -> calls().apply(pair(key("b"), 1).at(third.revision()), call()));
    assertEquals(Optional.empty(), absent.current());
    assertEquals(Optional.empty(), calls().find(key("b"), call()));
  }

  @Test
  @DisplayName("what is written comes back equal: value, revision and identity")
  void roundTrip() {
    KeyValue<Item> made = create(key("a"), Integer.MIN_VALUE);
    assertEquals(Optional.of(item(Integer.MIN_VALUE)), made.value());
    assertEquals(made, calls().get(key("a"), call()));
    KeyValue<Item> changed = calls().update(made.with(item(2)), call());
    assertEquals(made.uid(), changed.uid());
    assertTrue(changed.revision().isGiven());
    assertFalse(changed.revision().equals(Revision.ZERO));
  }

  @Test
  @DisplayName("SY-04 an old state is read at its revision, by get and by list, or refused (3.8)")
  void history() {
    KeyValue<Item> first = create(key("a"), 1);
    KeyValue<Item> second = calls().update(first.with(item(2)), call());
    create(key("b"), 3);
    if (can(Capability.HISTORY)) {
      checkHistory(first, second);
      return;
    }
    ListOptions<Item> all = ListOptions.all(ItemKey.TYPE);
    assertNotSupported(
        "get", key("a").path(), () -> calls().get(key("a"), first.revision(), call()));
    assertNotSupported("list", all.root(), () -> calls().list(all, first.revision(), call()));
    assertEquals(second, calls().get(key("a"), Revision.ZERO, call()), "the latest is readable");
  }

  private void checkHistory(KeyValue<Item> first, KeyValue<Item> second) {
    assertEquals(first, calls().get(key("a"), first.revision(), call()));
    assertEquals(second, calls().get(key("a"), second.revision(), call()));
    refused(
        DatastoreException.DoesNotExist.class,
        () -> calls().get(key("b"), second.revision(), call()));
    var then = calls().list(ListOptions.all(ItemKey.TYPE), first.revision(), call());
    assertEquals(List.of(first), then.items());
    assertEquals(first.revision(), then.revision(), "labelled with what it represents (3.10)");
  }

  @Test
  @DisplayName("SY-06 a delete of an absent key says so, with a revision and without")
  void deleteAbsent() {
    Revision old = create(key("other"), 1).revision();
    for (Revision revision : List.of(old, Revision.NONE)) {
      refused(
          DatastoreException.DoesNotExist.class, () -> calls().delete(key("a"), revision, call()));
    }
  }

  @Test
  @DisplayName("3.5 a delete gives the pair as it was; with a stale revision it changes nothing")
  void deletes() {
    KeyValue<Item> first = create(key("a"), 1);
    KeyValue<Item> second = calls().update(first.with(item(2)), call());
    var refused =
        refused(
            DatastoreException.UpdateConflict.class,
            () -> calls().delete(key("a"), first.revision(), call()));
    assertEquals(Optional.of(second), refused.current());
    assertEquals(second, calls().get(key("a"), call()));
    assertEquals(second, calls().delete(key("a"), second.revision(), call()));
    assertEquals(Optional.empty(), calls().find(key("a"), call()));
  }

  @Test
  @DisplayName("SY-07 a revision that no store gave is invalid input, and nothing is written")
  void oddRevision() {
    KeyValue<Item> made = create(key("a"), 1);
    Revision odd = new Revision("abc!");
    for (Runnable body :
        List.<Runnable>of(
            () -> calls().update(made.with(item(2)).at(odd), call()),
            () -> calls().delete(key("a"), odd, call()),
            () -> calls().get(key("a"), odd, call()),
            () -> calls().list(ListOptions.all(ItemKey.TYPE), odd, call()))) {
      var refused = refused(EvenkeelException.class, body::run);
      assertEquals(ErrorKind.INVALID, refused.kind());
      assertTrue(refused.toString().contains("revision"), refused.toString());
    }
    assertEquals(made, calls().get(key("a"), call()));
  }

  @Test
  @DisplayName("SY-08 fifty threads count up by compare-and-set and lose no step")
  void counter() throws InterruptedException {
    create(key("n"), 0);
    AtomicInteger done = new AtomicInteger();
    AtomicInteger odd = new AtomicInteger();
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads =
        java.util.stream.IntStream.range(0, 50)
            .mapToObj(
                i ->
                    new Thread(
                        () -> {
                          try {
                            begin.await();
                            countUp(done);
                          } catch (InterruptedException | EvenkeelException failed) {
                            odd.incrementAndGet();
                          }
                        }))
            .toList();
    threads.forEach(Thread::start);
    begin.countDown();
    for (Thread thread : threads) {
      thread.join(patience().toMillis());
    }
    assertEquals(0, odd.get(), "every failure is an UpdateConflict");
    assertEquals(100, done.get());
    assertEquals(100, calls().get(key("n"), call()).value().orElseThrow().number());
  }

  private void countUp(AtomicInteger done) {
    for (int steps = 0; steps < 2; ) {
      KeyValue<Item> now = calls().get(key("n"), call());
      try {
        var unused = calls().update(now.with(item(now.value().orElseThrow().number() + 1)), call());
        steps++;
        done.incrementAndGet();
      } catch (DatastoreException.UpdateConflict lost) {
        assertTrue(lost.current().isPresent());
      }
    }
  }

  @Test
  @DisplayName("SY-10 a value lives as long as it was given, or such writes are refused (3.12)")
  void expiry() {
    if (can(Capability.TTL)) {
      checkExpiry();
      return;
    }
    KeyValue<Item> brief = pair(key("a"), 1).livingFor(Duration.ofSeconds(1));
    String path = key("a").path();
    assertNotSupported("create", path, () -> calls().create(brief, call()));
    assertNotSupported("apply", path, () -> calls().apply(brief, call()));
    assertEquals(Optional.empty(), calls().find(key("a"), call()));
    KeyValue<Item> kept = create(key("a"), 0);
    assertNotSupported("update", path, () -> calls().update(brief, call()));
    assertEquals(kept, calls().get(key("a"), call()));
  }

  /** A write without an end after one with an end makes the value stay. */
  private void checkExpiry() {
    calls().create(pair(key("a"), 1).livingFor(Duration.ofMillis(900)), call());
    create(key("b"), 1);
    calls().update(pair(key("b"), 2).livingFor(Duration.ofSeconds(1)), call());
    assertTrue(calls().find(key("a"), call()).isPresent());
    calls().update(pair(key("b"), 3), call());
    passTime(Duration.ofMillis(1100));
    eventually("a has expired", () -> calls().find(key("a"), call()).isEmpty());
    passTime(Duration.ofSeconds(1));
    assertTrue(calls().find(key("b"), call()).isPresent());
    create(key("a"), 4);
  }

  @Test
  @DisplayName("SY-11 a parent's delete takes all below it, and nothing that only looks like it")
  void deleteParent() {
    create(NodeKey.of("p", "1"), 1);
    create(NodeKey.of("p", "2"), 2);
    create(NodeKey.of("q", "1"), 3);
    create(NodeKey.of("pp", "1"), 4);
    KeyValue<Item> gone = calls().delete(NodeKey.group("p"), Revision.NONE, call());
    assertEquals(Optional.empty(), gone.value());
    assertEquals(
        List.of(NodeKey.of("pp", "1").path(), NodeKey.of("q", "1").path()),
        paths(ListOptions.all(NodeKey.TYPE)));
    refused(
        DatastoreException.DoesNotExist.class,
        () -> calls().delete(NodeKey.group("p"), Revision.NONE, call()));
  }

  @Test
  @DisplayName("SY-12 a parent goes with its last child, and stays when that delete is refused")
  void lastChild() {
    create(NodeKey.group("w"), 0);
    KeyValue<Item> e1 = create(NodeKey.of("w", "e1"), 1);
    KeyValue<Item> e2 = create(NodeKey.of("w", "e2"), 2);
    calls().delete(e1.key(), e1.revision(), call());
    assertTrue(calls().find(NodeKey.group("w"), call()).isPresent());
    refused(
        DatastoreException.UpdateConflict.class,
        () -> calls().delete(e2.key(), e1.revision(), call()));
    assertTrue(calls().find(NodeKey.group("w"), call()).isPresent());
    calls().delete(e2.key(), e2.revision(), call());
    assertEquals(List.of(), paths(ListOptions.all(NodeKey.TYPE)));
  }

  @Test
  @DisplayName("SY-14 another incarnation of the key is not deleted")
  void incarnation() {
    KeyValue<Item> first = create(key("a"), 1);
    assertTrue(first.uid().isPresent(), "a store names its incarnations");
    calls().delete(key("a"), Revision.NONE, call());
    KeyValue<Item> second = create(key("a"), 1);
    assertNotEquals(first.uid(), second.uid());
    refused(
        DatastoreException.DoesNotExist.class,
        () -> calls().deleteKvp(first.at(Revision.NONE), call()));
    assertEquals(second, calls().get(key("a"), call()));
    assertEquals(second, calls().deleteKvp(second.at(Revision.NONE), call()));
    assertEquals(Optional.empty(), calls().find(key("a"), call()));
  }

  @Test
  @DisplayName("SY-16 a list of nothing is empty with a usable revision; of the future, an error")
  void emptyLists() {
    create(key("a"), 1);
    for (ListOptions<Item> options :
        List.of(
            ListOptions.all(NodeKey.TYPE),
            ListOptions.inside(NodeKey.TYPE, "none"),
            ListOptions.one(key("none")),
            ListOptions.beginningWith(ItemKey.TYPE, "none"))) {
      KeyValueList<Item> found = calls().list(options, call());
      assertEquals(List.of(), found.items());
      assertTrue(found.revision().isGiven());
      assertNotEquals(Revision.ZERO, found.revision());
      if (can(Capability.ORDERED_WATCH)) {
        assertEquals(latest(), found.revision(), "one order over all kinds has one latest");
      }
    }
    refused(
        EvenkeelException.class,
        () ->
            calls()
                .list(
                    ListOptions.all(ItemKey.TYPE),
                    new Revision(Long.toString(Long.MAX_VALUE)),
                    call()));
  }

  @Test
  @DisplayName("SY-17 lists keep to their directory or prefix; odd names come back as they were")
  void names() {
    for (String group : List.of("a", "ab", "a/b", "..")) {
      create(NodeKey.of(group, "x/y"), 1);
    }
    assertEquals(
        List.of(NodeKey.of("a", "x/y").path()), paths(ListOptions.inside(NodeKey.TYPE, "a")));
    for (KeyValue<Item> pair : calls().list(ListOptions.all(NodeKey.TYPE), call()).items()) {
      assertEquals(Optional.of(pair.key()), NodeKey.TYPE.parse(pair.key().path()));
    }
    create(key("ab1"), 1);
    create(key("ab2"), 2);
    create(key("a1"), 3);
    assertEquals(
        List.of(key("ab1").path(), key("ab2").path()),
        paths(ListOptions.beginningWith(ItemKey.TYPE, "ab")));
    assertEquals(List.of(key("a1").path()), paths(ListOptions.one(key("a1"))));
    assertEquals(
        List.of(key("a1").path(), key("ab1").path(), key("ab2").path()),
        paths(ListOptions.all(ItemKey.TYPE)));
  }

  @Test
  @DisplayName("3.16 a call that was called off does nothing")
  void cancelled() {
    Call call = Call.usual();
    call.cancel();
    var refused = refused(EvenkeelException.class, () -> calls().create(pair(key("a"), 1), call));
    assertEquals(ErrorKind.CANCELLED, refused.kind());
    assertEquals(Optional.empty(), calls().find(key("a"), call()));
  }

  @Test
  @DisplayName("a write without a value is invalid input")
  void noValue() {
    KeyValue<Item> empty =
        new KeyValue<>(
            key("a"), Optional.empty(), Revision.NONE, Optional.empty(), Optional.empty());
    for (Runnable body :
        List.<Runnable>of(
            () -> calls().create(empty, call()),
            () -> calls().update(empty, call()),
            () -> calls().apply(empty, call()))) {
      assertEquals(ErrorKind.INVALID, refused(EvenkeelException.class, body::run).kind());
    }
  }

  @Test
  @DisplayName("3.13 a store is made ready once and again; closed, it refuses, once and again")
  void lifecycle() {
    calls().ensureInitialized(call());
    KeyValue<Item> made = create(key("a"), 1);
    calls().ensureInitialized(call());
    assertEquals(made, calls().get(key("a"), call()));
    store().close();
    store().close();
    for (Runnable body :
        List.<Runnable>of(
            () -> calls().get(key("a"), call()),
            () -> calls().list(ListOptions.all(ItemKey.TYPE), call()),
            () -> calls().apply(made, call()),
            () -> calls().commit(List.of(), List.of(), call()))) {
      assertEquals(ErrorKind.UNAVAILABLE, refused(EvenkeelException.class, body::run).kind());
    }
  }
}
