package dev.evenkeel.tck.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The guarded batch and the fence (datastore reference; JT-14). */
public abstract class BatchContract extends DatastoreContract {
  /** For subclasses. */
  protected BatchContract() {}

  private static Write put(String name, int number) {
    return new Write.Put<>(key(name), item(number));
  }

  private static Write remove(String name) {
    return new Write.Remove(key(name));
  }

  private Optional<Item> value(String name) {
    return calls().find(key(name), call()).flatMap(KeyValue::value);
  }

  /** Without atomic batches one over two keys is refused, and nothing is written. */
  private void assertNoBatch() {
    String path = key("a").path();
    assertNotSupported(
        "commit", path, () -> calls().commit(List.of(), List.of(put("a", 1), put("b", 1)), call()));
    assertNotSupported(
        "commit",
        path,
        () -> calls().commit(List.of(new Guard.Absent(key("b"))), List.of(put("a", 1)), call()));
    assertEquals(List.of(), paths(ListOptions.all(ItemKey.TYPE)));
  }

  @Test
  @DisplayName("a batch writes everything at one revision, or is refused; removing nothing is fine")
  void all() {
    if (!can(Capability.ATOMIC_BATCH)) {
      assertNoBatch();
      return;
    }
    create(key("gone"), 0);
    create(key("old"), 0);
    Revision revision =
        calls()
            .commit(
                List.of(),
                List.of(put("new", 1), put("old", 2), remove("gone"), remove("never")),
                call());
    for (String name : List.of("new", "old")) {
      assertEquals(revision, calls().get(key(name), call()).revision());
    }
    assertEquals(2, paths(ListOptions.all(ItemKey.TYPE)).size());
    assertEquals(revision, latest());
  }

  @Test
  @DisplayName("a batch whose guard does not hold writes nothing and says which key, or is refused")
  void guards() {
    if (!can(Capability.ATOMIC_BATCH)) {
      assertNoBatch();
      return;
    }
    KeyValue<Item> a = create(key("a"), 1);
    KeyValue<Item> newer = calls().update(a.with(item(2)), call());
    for (Guard broken :
        List.of(
            new Guard.At(key("a"), a.revision()),
            new Guard.At(key("none"), a.revision()),
            new Guard.Absent(key("a")),
            new Guard.Exists(key("none")))) {
      var refused =
          refused(
              DatastoreException.UpdateConflict.class,
              () ->
                  calls()
                      .commit(
                          List.of(new Guard.At(key("a"), newer.revision()), broken),
                          List.of(put("a", 3), put("b", 3)),
                          call()));
      String path = broken.toString().contains("none") ? key("none").path() : key("a").path();
      assertEquals(path, refused.identifier());
    }
    assertEquals(newer, calls().get(key("a"), call()));
    assertEquals(Optional.empty(), value("b"));
    calls()
        .commit(
            List.of(
                new Guard.At(key("a"), newer.revision()),
                new Guard.Exists(key("a")),
                new Guard.Absent(key("b"))),
            List.of(put("a", 3), put("b", 4)),
            call());
    assertEquals(Optional.of(item(3)), value("a"));
    assertEquals(Optional.of(item(4)), value("b"));
  }

  @Test
  @DisplayName("guards alone are checked and write nothing")
  void guardsAlone() {
    create(key("a"), 1);
    Revision before = latest();
    calls().commit(List.of(new Guard.Exists(key("a"))), List.of(), call());
    assertEquals(before, latest());
    refused(
        DatastoreException.UpdateConflict.class,
        () -> calls().commit(List.of(new Guard.Absent(key("a"))), List.of(), call()));
  }

  @Test
  @DisplayName("a batch of one key's guards and writes is taken by every store")
  void oneKey() {
    calls().commit(List.of(new Guard.Absent(key("a"))), List.of(put("a", 1)), call());
    KeyValue<Item> a = calls().get(key("a"), call());
    calls().commit(List.of(new Guard.At(key("a"), a.revision())), List.of(remove("a")), call());
    assertEquals(Optional.empty(), value("a"));
  }

  @Test
  @DisplayName("a key twice in a batch, or a guard at no revision of the store's, is invalid input")
  void oddBatches() {
    create(key("a"), 1);
    for (Runnable body :
        List.<Runnable>of(
            () -> calls().commit(List.of(), List.of(put("a", 2), remove("a")), call()),
            () ->
                calls()
                    .commit(
                        List.of(new Guard.At(key("a"), new Revision("abc!"))),
                        List.of(put("a", 2)),
                        call()))) {
      assertEquals(ErrorKind.INVALID, refused(EvenkeelException.class, body::run).kind());
    }
    assertEquals(Optional.of(item(1)), value("a"));
  }

  @Test
  @DisplayName(
      "JT-14 once a newer epoch is known, no older one writes; unfenced, a leader guard is refused")
  void fence() {
    if (can(Capability.FENCED)) {
      checkFence();
      return;
    }
    // An epoch only says who writes, but nobody may rely on a guard that guards nothing.
    calls().create(KeyValue.of(key("a"), item(1)), call().under(new Epoch(7)));
    calls().apply(KeyValue.of(key("a"), item(2)), call().under(new Epoch(6)));
    assertNotSupported(
        "commit",
        key("a").path(),
        () ->
            calls().commit(List.of(new Guard.Leader(new Epoch(8))), List.of(put("a", 3)), call()));
    assertEquals(Optional.of(item(2)), value("a"));
  }

  private void checkFence() {
    KeyValue<Item> a = calls().create(KeyValue.of(key("a"), item(1)), call().under(new Epoch(7)));
    for (Runnable body :
        List.<Runnable>of(
            () -> calls().create(KeyValue.of(key("b"), item(1)), call().under(new Epoch(6))),
            () -> calls().update(a.with(item(2)), call().under(new Epoch(6))),
            () -> calls().apply(a.with(item(2)), call().under(new Epoch(6))),
            () -> calls().delete(key("a"), a.revision(), call().under(new Epoch(6))),
            () -> calls().commit(List.of(), List.of(put("a", 2)), call().under(new Epoch(6))),
            () ->
                calls()
                    .commit(
                        List.of(new Guard.Leader(new Epoch(6))), List.of(put("a", 2)), call()))) {
      refused(DatastoreException.Fenced.class, body::run);
    }
    assertEquals(a, calls().get(key("a"), call().under(new Epoch(6))), "reads are not fenced");
    assertEquals(Optional.empty(), value("b"));
    calls().update(a.with(item(2)), call().under(new Epoch(7)));
    calls().commit(List.of(new Guard.Leader(new Epoch(8))), List.of(put("a", 3)), call());
    refused(
        DatastoreException.Fenced.class,
        () -> calls().apply(KeyValue.of(key("a"), item(4)), call().under(new Epoch(7))));
    apply(key("a"), 5);
    assertEquals(Optional.of(item(5)), value("a"), "without an election nothing is fenced");
  }
}
