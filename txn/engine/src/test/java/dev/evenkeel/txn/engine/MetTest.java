package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.owned;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.history.HistoryOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A transaction of what is so already")
class MetTest {
  private static final String[] PATHS = {"a/1", "a/2", "b/1", "b/2", "z/1", "z/2"};

  private static Engine engine(HistoryOptions history) {
    return new Engine(
        new SouthBound(),
        outside ->
            List.of(
                new MockDescriptor("a", outside),
                new MockDescriptor("b", outside).needs("b/1", "a/1").needs("b/2", "a/2/i1")),
        history);
  }

  @Test
  @DisplayName("has its number and is counted, and readers see that it was asked for again")
  void met() {
    Engine engine = engine(HistoryOptions.off());
    engine.update(put("a/1", "i1"), put("b/1"), put("z/1", "i1"));
    TransactionResult again = engine.update(put("z/1", "i1"), put("b/1"), put("a/1", "i1"));
    assertEquals(1, again.number());
    assertEquals(TransactionOutcome.APPLIED, again.outcome());
    assertEquals(List.of(), ops(again));
    assertEquals(ValueOperation.UPDATE, engine.status("a/1").last());
    ValueReader before = engine.core.values();
    assertEquals(2, engine.update(put("a/1", "i1"), put("z/1", "i1")).number());
    assertSame(before, engine.core.values(), "nothing that anybody could see has changed");
    assertEquals(3, engine.core.statistics().total());
  }

  @Test
  @DisplayName("is one of something new when the owner, a value or a lock says so")
  void notMet() {
    Engine engine = engine(HistoryOptions.off());
    engine.update(put("a/1"), put("z/1"));
    ValueReader before = engine.core.values();
    engine.update(put("a/1"), put("z/1", "i2"));
    assertNotSame(before, engine.core.values());
    engine.update(owned("other", "a/1"), put("z/1", "i2"));
    ValueReader after = engine.core.values();
    engine.frozen = Set.of("/a/1")::contains;
    assertEquals(1, engine.update(owned("other", "a/1")).failures().size());
    assertSame(after, engine.core.values());
  }

  @Test
  @DisplayName("ends as it would with a look at everything: random programs, side by side")
  void sideBySide() {
    int met = 0;
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Engine quick = engine(HistoryOptions.off());
      Engine thorough = engine(HistoryOptions.standard());
      List<TxnEntry[]> earlier = new ArrayList<>();
      for (int step = 0; step < 20; step++) {
        faults(random, quick, thorough);
        TxnEntry[] entries =
            !earlier.isEmpty() && random.nextInt(3) == 0
                ? earlier.get(random.nextInt(earlier.size()))
                : entries(random);
        earlier.add(entries);
        boolean reverting = random.nextInt(4) == 0;
        TransactionResult one = reverting ? quick.reverting(entries) : quick.update(entries);
        TransactionResult two = reverting ? thorough.reverting(entries) : thorough.update(entries);
        String where = "seed " + seed + ", step " + step;
        assertEquals(told(two), told(one), where);
        assertEquals(seen(thorough), seen(quick), where);
        met += one.operations().isEmpty() ? 1 : 0;
      }
      assertEquals(counted(thorough), counted(quick), "seed " + seed);
    }
    assertTrue(met > 100, "too few that were met: " + met);
  }

  private static void faults(Random random, Engine... engines) {
    int dice = random.nextInt(8);
    String call = random.nextBoolean() ? "create a/1" : "update b/1";
    for (Engine engine : engines) {
      engine.outside.clearFaults();
      if (dice == 0) {
        engine.outside.fail(call);
      }
      engine.frozen = dice == 1 ? Set.of("/a/2", "/z/1")::contains : path -> false;
    }
  }

  private static TxnEntry[] entries(Random random) {
    List<TxnEntry> entries = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(4); i++) {
      String path = PATHS[random.nextInt(PATHS.length)];
      entries.add(
          switch (random.nextInt(6)) {
            case 0 -> delete(path);
            case 1 -> owned("other", path, "i1");
            case 2 -> put(path);
            default -> put(path, "i1");
          });
    }
    return entries.toArray(TxnEntry[]::new);
  }

  private static String told(TransactionResult result) {
    return result.number() + " " + result.outcome() + " " + result.operations() + result.failures();
  }

  private static String seen(Engine engine) {
    StringBuilder text = new StringBuilder();
    for (String path : PATHS) {
      text.append(engine.status(path))
          .append(engine.core.values().desired(Val.key(path)))
          .append(engine.core.values().applied(Val.key(path)))
          .append('\n');
    }
    return text.toString();
  }

  private static String counted(Engine engine) {
    EngineStatistics now = engine.core.statistics();
    return now.transactions() + " " + now.operations() + " " + now.states() + " " + now.noops();
  }
}
