package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.NoMetadata;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.txn.TxnEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Compares the best of several rounds, so that a busy machine does not matter. */
class CostTest {
  @Test
  @DisplayName("GW-2 The cost of one value does not grow with the number of values")
  void oneValue() {
    long few = nanos(1_000);
    long many = nanos(16_000);

    assertTrue(
        many < 6 * few,
        () -> "ns per transaction: " + few + " among 1000, " + many + " among 16000 values");
  }

  @Test
  @DisplayName("TW-13 The cost of a dry run does not grow with the number of values either")
  void planOfOneValue() {
    long few = nanos(1_000, CostTest::planned);
    long many = nanos(16_000, CostTest::planned);

    assertTrue(
        many < 6 * few,
        () -> "ns per dry run: " + few + " among 1000, " + many + " among 16000 values");
  }

  @Test
  @DisplayName("GW-1 Who describes a key is found without asking every descriptor")
  void whoDescribes() {
    List<Watched> watched = new ArrayList<>();
    Engine engine =
        new Engine(
            outside -> {
              MockDescriptor a = new MockDescriptor("a", outside);
              a.derivesAs = "zzz";
              List<Descriptor<?, ?>> all = new ArrayList<>(List.of(a));
              for (int i = 0; i < 300; i++) {
                watched.add(new Watched("w" + i));
              }
              all.addAll(watched);
              return all;
            });
    watched.forEach(one -> one.asked = 0);

    // a property of each, and a key that nobody describes
    for (int i = 0; i < 100; i++) {
      assertEquals(2, engine.update(put("a/" + i, "p")).operations().size());
      assertEquals(1, engine.update(put("yyy/" + i)).operations().size());
    }

    int asked = watched.stream().mapToInt(one -> one.asked).sum();
    assertTrue(asked <= 2 * 200, () -> "descriptors asked: " + asked + " times for 300 keys");
  }

  /** Counts how often it is asked which keys it describes. */
  private static final class Watched implements Descriptor<Val, NoMetadata> {
    private final KeyType<Val> type;
    int asked;

    Watched(String name) {
      type = Val.type(name);
    }

    @Override
    public String name() {
      return type.name();
    }

    @Override
    public KeyType<Val> type() {
      asked++;
      return type;
    }

    @Override
    public NoMetadata create(Key<Val> key, Val value, StepContext context) {
      throw new AssertionError(key);
    }

    @Override
    public void delete(Key<Val> key, Val value, NoMetadata metadata, StepContext context) {
      throw new AssertionError(key);
    }
  }

  private static void changed(Engine engine, TxnEntry entry) {
    engine.update(entry);
  }

  private static void planned(Engine engine, TxnEntry entry) {
    assertEquals(
        2, engine.dry(EventMethod.UPDATE, false, entry, delete("a/1")).operations().size());
  }

  private static long nanos(int values) {
    return nanos(values, CostTest::changed);
  }

  /** Time of one transaction. */
  private static long nanos(int values, BiConsumer<Engine, TxnEntry> run) {
    Engine engine =
        new Engine(
            outside -> {
              MockDescriptor a = new MockDescriptor("a", outside);
              a.everyNeeds =
                  (key, value) ->
                      key.path().endsWith("00007")
                          ? List.of(new Dependency.AnyOf("any", List.of("/a/1"), p -> true))
                          : List.of();
              return List.of(a);
            });
    TxnEntry[] puts = new TxnEntry[values];
    for (int i = 0; i < values; i++) {
      puts[i] = new TxnEntry.Put<>("h", Val.key("a/" + (100_000 + i)), Val.list());
    }
    assertEquals(values, engine.update(puts).operations().size());
    engine.outside.calls.clear();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 60; round++) {
      long before = System.nanoTime();
      for (int i = 0; i < 40; i++) {
        run.accept(
            engine,
            new TxnEntry.Put<>("h", Val.key("a/" + (100_000 + i * 4 + 1)), Val.list("x" + round)));
      }
      least = Math.min(least, (System.nanoTime() - before) / 40);
    }
    return least;
  }
}
