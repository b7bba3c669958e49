package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.source.DatastoreSource;
import dev.evenkeel.controller.source.SourceListener;
import dev.evenkeel.controller.source.SourceStatus;
import dev.evenkeel.controller.source.SourceStatus.Phase;
import dev.evenkeel.datastore.MemoryDatastore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A datastore, its source, and a loop that is fed, on all drivers of the loop. */
@DisplayName("A loop fed by a datastore")
@Timeout(60)
final class DatastoreSourceTest {
  private static final Call CALL = Call.within(Duration.ofSeconds(5));

  /** What is stored; a handler makes values of it. */
  record Pod(String name) implements Key<String> {
    static final KeyType<String> TYPE = KeyType.named("pod", "/pods/", String.class, Pod::new);

    @Override
    public String path() {
      return KeyPaths.join("/pods/", name);
    }

    @Override
    public KeyType<String> type() {
      return TYPE;
    }
  }

  /** External configuration of a value, where the datastore has it. */
  private record Ext(String name) implements Key<String> {
    static final KeyType<String> TYPE = KeyType.named("k", "/ext/k/", String.class, Ext::new);

    @Override
    public String path() {
      return KeyPaths.join("/ext/k/", name);
    }

    @Override
    public KeyType<String> type() {
      return TYPE;
    }
  }

  /** A rig, a remote store and a mirror, both of which can fail, and a source between. */
  private static final class Feed implements AutoCloseable {
    final MemoryDatastore store;
    final Fickle remote;
    final Fickle mirror;
    final Rig rig;
    final DatastoreSource source;
    final List<Failure> problems = new CopyOnWriteArrayList<>();

    Feed(Mode mode) {
      this(mode, MemoryDatastore.create(), new Fickle(MemoryDatastore.create()), b -> b);
    }

    Feed(Mode mode, MemoryDatastore store, Fickle mirror, UnaryOperator<EventLoops.Builder> more) {
      this.store = store;
      this.remote = new Fickle(store);
      this.mirror = mirror;
      rig = new Rig(mode, config -> config.capacity(8), more);
      rig.a.onResync =
          (event, turn) ->
              turn.input()
                  .all(Pod.TYPE)
                  .forEach(pod -> turn.txn().put(key(pod.key()), pod.value()));
      rig.a.onUpdate =
          (event, turn) -> {
            if (event instanceof dev.evenkeel.api.event.StateChange change) {
              Key<String> pod = Pod.TYPE.parse(change.key()).orElseThrow();
              change
                  .currentAs(Pod.TYPE)
                  .ifPresentOrElse(
                      value -> turn.txn().put(key(pod), value), () -> turn.txn().delete(key(pod)));
            }
            return "";
          };
      source =
          DatastoreSource.builder("pods", remote)
              .input(Pod.TYPE)
              .external("/ext", K.TYPE)
              .mirror(mirror)
              .clock(rig.clock)
              .seed(() -> 1)
              .listener(
                  new SourceListener() {
                    @Override
                    public void onProblem(Failure failure) {
                      problems.add(failure);
                    }
                  })
              .build();
    }

    private static K key(Key<String> pod) {
      return new K(((Pod) pod).name());
    }

    Feed start() {
      source.start(rig.loop);
      return this;
    }

    void put(Key<String> key, String value) {
      var unused = store.blocking().apply(KeyValue.of(key, value), CALL);
    }

    void delete(Key<String> key) {
      var unused = store.blocking().delete(key, Revision.NONE, CALL);
    }

    Feed becomes(Map<String, String> values) {
      try {
        rig.until(() -> rig.outside.values.equals(values));
      } catch (AssertionError never) {
        throw new AssertionError(
            rig.outside.values + " and not " + values + "; " + source.status() + problems, never);
      }
      return this;
    }

    /** The same while time passes, slowly enough that a busy machine answers within its limits. */
    Feed inTimeBecomes(Map<String, String> values) {
      return inTime(() -> rig.outside.values.equals(values));
    }

    private Feed inTime(BooleanSupplier condition) {
      long[] turned = {System.nanoTime()};
      rig.until(
          () -> {
            if (System.nanoTime() - turned[0] > 50_000_000L) {
              turned[0] = System.nanoTime();
              rig.advance(Duration.ofMillis(500));
            }
            return condition.getAsBoolean();
          });
      return this;
    }

    Feed phase(Phase phase) {
      return inTime(() -> source.status().phase() == phase);
    }

    /** Time passes in steps, so that what is due at one begins what is due at the next. */
    Feed passes(Duration time) {
      for (int i = 0; i < 10; i++) {
        rig.advance(time.dividedBy(10));
      }
      return this;
    }

    Map<String, String> mirrored() {
      Map<String, String> found = new TreeMap<>();
      KeyType<String> pods =
          KeyType.named("pod", "/mirror/pods/pods/", String.class, name -> mirrorKey(name));
      mirror
          .store
          .blocking()
          .list(dev.evenkeel.api.datastore.ListOptions.all(pods), CALL)
          .items()
          .forEach(i -> found.put(i.key().path(), i.value().orElse("?")));
      return found;
    }

    private static Key<String> mirrorKey(String name) {
      return new Key<>() {
        @Override
        public String path() {
          return KeyPaths.join("/mirror/pods/pods/", name);
        }

        @Override
        public KeyType<String> type() {
          return KeyType.named("pod", "/mirror/pods/pods/", String.class, n -> mirrorKey(n));
        }
      };
    }

    @Override
    public void close() {
      source.close();
      rig.close();
      rig.until(() -> threads().isEmpty());
    }

    private static Set<String> threads() {
      Set<String> alive = new TreeSet<>();
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().startsWith("evenkeel-s") && thread.isAlive()) {
          alive.add(thread.getName());
        }
      }
      return alive;
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "JT-20 gets all that is there as one resync, then each change, and deletes in reverse")
  void feeds(Mode mode) {
    try (Feed feed = new Feed(mode)) {
      feed.put(new Pod("p1"), "one");
      feed.put(new Ext("x"), "ext");
      feed.start().becomes(Map.of("p1", "one", "x", "ext"));
      feed.rig.until(() -> feed.rig.loop.status().state() == LoopState.RUNNING);
      feed.put(new Pod("p2"), "two");
      feed.put(new Pod("p1"), "uno");
      feed.becomes(Map.of("p1", "uno", "p2", "two", "x", "ext"));
      feed.put(new Ext("p1"), "over");
      feed.becomes(Map.of("p1", "over+uno", "p2", "two", "x", "ext"));
      feed.rig.trace.clear();
      feed.delete(new Pod("p2"));
      feed.delete(new Ext("x"));
      feed.becomes(Map.of("p1", "over+uno"));
      assertTrue(
          feed.rig.trace.indexOf("c.U(state-change)")
              < feed.rig.trace.indexOf("a.U(state-change)"));
      feed.rig.until(() -> feed.source.status().resyncs() == 1);
      feed.rig.until(() -> feed.mirrored().equals(Map.of("/mirror/pods/pods/p1", "uno")));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "EL-46 starts from the mirror while the remote is away, external configuration included")
  void mirror(Mode mode) {
    MemoryDatastore store = MemoryDatastore.create();
    Fickle mirror = new Fickle(MemoryDatastore.create());
    try (Feed feed = new Feed(mode, store, mirror, b -> b)) {
      feed.put(new Pod("p1"), "one");
      feed.put(new Ext("x"), "ext");
      feed.start().becomes(Map.of("p1", "one", "x", "ext"));
    }
    try (Feed feed = new Feed(mode, store, mirror, b -> b)) {
      feed.remote.away = true;
      feed.start();
      feed.rig.until(() -> !feed.problems.isEmpty());
      feed.passes(Duration.ofSeconds(4));
      assertEquals(Map.of(), feed.rig.outside.values);
      feed.passes(Duration.ofSeconds(2)).becomes(Map.of("p1", "one", "x", "ext"));
      feed.rig.until(() -> feed.rig.loop.status().state() == LoopState.RUNNING);
      feed.put(new Pod("p2"), "two");
      feed.remote.away = false;
      feed.inTimeBecomes(Map.of("p1", "one", "p2", "two", "x", "ext"));
      feed.rig.until(() -> feed.source.status().resyncs() == 2);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "EL-47 a store that goes away costs the loop nothing, and one resync brings what was missed")
  void reconnect(Mode mode) {
    try (Feed feed = new Feed(mode)) {
      feed.put(new Pod("p1"), "one");
      feed.start().becomes(Map.of("p1", "one")).phase(Phase.IN_SYNC);
      feed.remote.away = true;
      feed.passes(Duration.ofSeconds(4)).phase(Phase.AWAY);
      feed.put(new Pod("p2"), "two");
      feed.delete(new Pod("p1"));
      feed.passes(Duration.ofSeconds(4));
      assertEquals(Map.of("p1", "one"), feed.rig.outside.values);
      feed.remote.away = false;
      feed.inTimeBecomes(Map.of("p2", "two")).phase(Phase.IN_SYNC);
      feed.rig.until(() -> feed.source.status().resyncs() == 2);
      feed.put(new Pod("p2"), "three");
      feed.becomes(Map.of("p2", "three"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "DW-8 a store that does not answer any more counts as away, and closing does not wait for it")
  void hangs(Mode mode) {
    try (Feed feed = new Feed(mode)) {
      feed.put(new Pod("p1"), "one");
      feed.start().becomes(Map.of("p1", "one")).phase(Phase.IN_SYNC);
      feed.remote.hangs = true;
      feed.rig.until(
          () -> {
            feed.rig.advance(Duration.ofMillis(500));
            return feed.source.status().phase() == Phase.AWAY;
          });
      assertEquals(Map.of("p1", "one"), feed.rig.outside.values);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-48 a list that fails is tried again with pauses, and then all is there")
  void listFails(Mode mode) {
    try (Feed feed = new Feed(mode)) {
      feed.put(new Pod("p1"), "one");
      feed.remote.failingLists.set(1);
      feed.start().becomes(Map.of("p1", "one"));
      assertTrue(feed.remote.lists.get() <= 4, "lists: " + feed.remote.lists.get());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-50 a loop without room loses no change: the final state is right")
  void fullLoop(Mode mode) {
    try (Feed feed = new Feed(mode)) {
      feed.put(new Pod("p1"), "one");
      feed.start().becomes(Map.of("p1", "one")).phase(Phase.IN_SYNC);
      Map<String, String> all = new TreeMap<>(Map.of("p1", "one"));
      for (int i = 0; i < 1500; i++) {
        feed.put(new Pod("q" + i), "v" + i);
        all.put("q" + i, "v" + i);
      }
      feed.rig.until(
          () -> {
            feed.rig.advance(Duration.ofMillis(50));
            return feed.rig.outside.values.equals(all);
          });
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "DW-2 an undecodable value is reported and keeps the last good one, over reconnects and restarts")
  void undecodable(Mode mode) {
    MemoryDatastore store = MemoryDatastore.create();
    Fickle mirror = new Fickle(MemoryDatastore.create());
    try (Feed feed = new Feed(mode, store, mirror, b -> b)) {
      feed.put(new Pod("p1"), "one");
      feed.start().becomes(Map.of("p1", "one")).phase(Phase.IN_SYNC);
      store.putGarbage("/pods/p1", new byte[] {1, 2, 3});
      feed.rig.until(() -> feed.source.status().invalid().contains("/pods/p1"));
      feed.remote.away = true;
      feed.passes(Duration.ofSeconds(4)).phase(Phase.AWAY);
      feed.remote.away = false;
      feed.passes(Duration.ofSeconds(4)).phase(Phase.IN_SYNC);
      feed.becomes(Map.of("p1", "one"));
    }
    try (Feed feed = new Feed(mode, store, mirror, b -> b)) {
      feed.start().phase(Phase.IN_SYNC).becomes(Map.of("p1", "one"));
      assertEquals(Set.of("/pods/p1"), feed.source.status().invalid());
      feed.put(new Pod("p1"), "two");
      feed.becomes(Map.of("p1", "two"));
      assertEquals(Set.of(), feed.source.status().invalid());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("DW-6 a mirror that cannot be written holds nothing up, and catches up")
  void mirrorFails(Mode mode) {
    try (Feed feed = new Feed(mode)) {
      feed.mirror.failingWrites = true;
      feed.put(new Pod("p1"), "one");
      feed.start().becomes(Map.of("p1", "one")).phase(Phase.IN_SYNC);
      feed.rig.until(() -> feed.source.status().mirror() == SourceStatus.Mirror.BEHIND);
      feed.put(new Pod("p2"), "two");
      feed.becomes(Map.of("p1", "one", "p2", "two"));
      feed.rig.until(() -> !feed.problems.isEmpty());
      assertEquals(Map.of(), feed.mirrored());
      feed.mirror.failingWrites = false;
      feed.passes(Duration.ofSeconds(3));
      feed.rig.until(() -> feed.mirrored().size() == 2);
      feed.rig.until(() -> feed.source.status().mirror() == SourceStatus.Mirror.GOOD);
    }
  }

  @Test
  @DisplayName("DW-3 the mirror leaves foreign keys alone, and one that was damaged is not used")
  void foreign() {
    MemoryDatastore mirror = MemoryDatastore.create();
    var unused = mirror.blocking().apply(KeyValue.of(new Pod("foreign"), "keep"), CALL);
    MemoryDatastore store = MemoryDatastore.create();
    try (Feed feed = new Feed(Mode.MANUAL, store, new Fickle(mirror), b -> b)) {
      feed.put(new Pod("p1"), "one");
      feed.put(new Pod("p2"), "two");
      feed.start().becomes(Map.of("p1", "one", "p2", "two"));
    }
    assertEquals("keep", mirror.blocking().get(new Pod("foreign"), CALL).value().orElseThrow());
    mirror.putGarbage("/mirror/pods/pods/p1", new byte[] {7});
    try (Feed feed = new Feed(Mode.MANUAL, store, new Fickle(mirror), b -> b)) {
      feed.remote.away = true;
      feed.start().passes(Duration.ofSeconds(8));
      feed.rig.until(() -> feed.source.status().mirror() == SourceStatus.Mirror.BEHIND);
      assertEquals(Map.of(), feed.rig.outside.values);
      feed.remote.away = false;
      feed.inTimeBecomes(Map.of("p1", "one", "p2", "two"));
    }
  }

  @Test
  @DisplayName("starts and stops in any order, more than once, and when the loop has gone")
  void anyOrder() {
    try (Feed feed = new Feed(Mode.MANUAL)) {
      feed.source.close();
      feed.start();
      feed.source.close();
      assertEquals(Phase.CLOSED, feed.source.status().phase());
    }
    try (Feed feed = new Feed(Mode.RING_OF_2)) {
      feed.put(new Pod("p1"), "one");
      feed.start().start().becomes(Map.of("p1", "one"));
      feed.rig.close();
      feed.put(new Pod("p2"), "two");
      feed.phase(Phase.CLOSED);
      feed.source.close();
    }
  }

  @Test
  @DisplayName("refuses wrong parts, all at once")
  void refuses() {
    MemoryDatastore odd = MemoryDatastore.builder().without(Capability.ATOMIC_BATCH).build();
    InvalidInputException wrong =
        assertThrows(
            InvalidInputException.class,
            () ->
                DatastoreSource.builder("no spaces", odd)
                    .input(Pod.TYPE, Pod.TYPE)
                    .external("ext/", K.TYPE)
                    .mirror(odd)
                    .build());
    assertEquals(
        List.of("name", "kind pod", "external prefix", "mirror"),
        wrong.faults().stream().map(InvalidInputException.Fault::field).toList());
    assertThrows(InvalidInputException.class, () -> DatastoreSource.builder("empty", odd).build());
  }
}
