package dev.evenkeel.txn.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.txn.TxnEntry;
import java.util.List;
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

  /** Time of one transaction. */
  private static long nanos(int values) {
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
        engine.update(
            new TxnEntry.Put<>("h", Val.key("a/" + (100_000 + i * 4 + 1)), Val.list("x" + round)));
      }
      least = Math.min(least, (System.nanoTime() - before) / 40);
    }
    return least;
  }
}
