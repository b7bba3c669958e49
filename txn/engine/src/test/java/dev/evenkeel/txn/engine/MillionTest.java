package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.txn.history.HistoryOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A long life among two hundred keys: changes, failures with retries, reverts, notifications of
 * strangers, resyncs. What is held afterwards is what was held when all bounds had been reached.
 */
class MillionTest {
  private static final int KEYS = 200;

  private final SplittableRandom random = new SplittableRandom(1);
  private final List<MockDescriptor> described = new ArrayList<>();
  private final Engine engine =
      new Engine(
          new SouthBound(),
          outside -> List.of(describe(outside)),
          HistoryOptions.standard()
              .bounded(200, 1 << 20, Duration.ofDays(1))
              .initially(Duration.ZERO, 0, 0));

  private MockDescriptor describe(SouthBound outside) {
    described.add(new MockDescriptor("a", outside).needs("a/7", "a/8"));
    return described.get(0);
  }

  @Test
  @DisplayName("TW-16 What is held is flat over tens of thousands of transactions")
  void flat() {
    assertFlat(20_000, 60_000);
  }

  @Test
  @Tag("long")
  @DisplayName("TW-16 What is held is flat over a million transactions")
  void flatOverAMillion() {
    assertFlat(100_000, 1_000_000);
  }

  private void assertFlat(int first, int last) {
    engine.retry =
        Optional.of(new RetryPolicy(Duration.ofMillis(10), 2, Duration.ofSeconds(1), 3, 0));
    live(first);
    long early = held();
    live(last - first);
    long late = held();
    assertTrue(
        late < early * 1.1 + (1 << 20),
        () -> "bytes held after " + first + ": " + early + ", after " + last + ": " + late);
    assertTrue(engine.core.statistics().total() >= last);
  }

  private void live(int transactions) {
    long until = engine.core.statistics().total() + transactions;
    while (engine.core.statistics().total() < until) {
      move();
      engine.outside.calls.clear();
      engine.outside.clearFaults();
      described.get(0).askedFor.clear();
    }
  }

  private void move() {
    String path = "a/" + random.nextInt(KEYS);
    switch (random.nextInt(12)) {
      case 0, 1 -> engine.update(delete(path));
      case 2 -> {
        engine.outside.fail("create " + path).fail("update " + path);
        engine.update(put(path, "x" + random.nextInt(9)));
        engine.pass(50);
      }
      case 3 -> {
        engine.outside.fail("create " + path).fail("update " + path);
        engine.reverting(put("a/1", "r" + random.nextInt(9)), put(path, "r"));
      }
      case 4 -> engine.says("a/s" + random.nextInt(KEYS), "n");
      case 5 -> engine.saysGone("a/s" + random.nextInt(KEYS));
      case 6 -> {
        if (random.nextInt(200) == 0) {
          engine.downstream();
        }
      }
      default -> engine.update(put(path, "y" + random.nextInt(9), "z" + random.nextInt(9)));
    }
  }

  private static long held() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      Runtime now = Runtime.getRuntime();
      least = Math.min(least, now.totalMemory() - now.freeMemory());
    }
    return least;
  }
}
