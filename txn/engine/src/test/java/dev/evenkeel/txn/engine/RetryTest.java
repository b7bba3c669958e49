package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.failures;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.txn.TxnEntry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RetryTest {
  private final SouthBound south = new SouthBound();
  private final MockDescriptor a = new MockDescriptor("a", south).needs("a/9", "a/8");
  private final Engine engine =
      new Engine(
          south, outside -> List.of(a, new MockDescriptor("b", outside).needs("b/2", "a/1")));

  private static Optional<RetryPolicy> policy(long millis, double factor, int attempts) {
    return Optional.of(
        new RetryPolicy(Duration.ofMillis(millis), factor, Duration.ofMinutes(1), attempts, 0));
  }

  private void failing(String call, int times) {
    for (int i = 0; i < times; i++) {
      engine.outside.fail(call);
    }
  }

  private List<String> lines(long millis) {
    return engine.pass(millis).stream().map(Engine.Retried::line).toList();
  }

  @Test
  @DisplayName(
      "TX-16 A resync with retry: what failed of a base is mended by an update of the base")
  void resync() {
    engine.outside.put("a/1", 0, Origin.NORTH);
    engine.retry = policy(3000, 1, 3);
    engine.outside.fail("create a/1/i2");

    TransactionResult result = engine.full(put("a/1", "i1", "i2"));

    assertEquals(
        List.of("U a/1 DI>CF", "C a/1/i1 NE>CF der", "C a/1/i2 NE>RT der err"), ops(result));
    assertEquals(List.of("h create a/1/i2"), failures(result));
    assertEquals(List.of("a/1=L[i1, i2] 0"), a.retrieved);
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(ValueState.RETRYING, engine.state("a/1/i2"));
    assertEquals(List.of(), lines(2999));

    Engine.Retried retried = engine.pass(1).get(0);

    assertEquals("3000 #1 for 0/1 [U a/1 CF>CF retry, C a/1/i2 RT>CF der retry]", retried.line());
    assertEquals(
        Optional.of(result.failures().get(0)),
        retried.result().operations().get(1).previousFailure());
    assertEquals(ValueState.CONFIGURED, engine.state("a/1/i2"));
    assertEquals(List.of(), lines(60_000));
  }

  @Test
  @DisplayName("TX-39 Tries at 0, 100 and 300 ms, then it has failed")
  void exhaustion() {
    engine.retry = policy(100, 2, 2);
    failing("create a/1", 3);

    assertEquals(List.of("C a/1 NE>RT err"), ops(engine.update(put("a/1"))));
    assertEquals(
        List.of("100 #1 for 0/1 [C a/1 RT>RT retry err]", "300 #2 for 0/2 [C a/1 RT>FA retry err]"),
        lines(600_000));
    assertEquals(ValueState.FAILED, engine.state("a/1"));
    assertFalse(engine.core.isRetrying("/a/1"));
  }

  @Test
  @DisplayName("TX-39 No maximum: endless, even delays without a factor, and never over the cap")
  void endless() {
    engine.retry = policy(100, 1, 0);
    failing("create a/1", 50);
    engine.update(put("a/1"));

    assertEquals(List.of(100L, 200L, 300L), engine.pass(399).stream().map(r -> r.at()).toList());
    assertEquals(47, engine.pass(60_000).size());
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));

    engine.retry =
        Optional.of(new RetryPolicy(Duration.ofMillis(100), 2, Duration.ofMillis(350), 0, 0));
    failing("create a/2", 6);
    engine.update(put("a/2"));
    List<Long> at = engine.pass(5_000).stream().map(r -> r.at()).toList();
    List<Long> steps = new java.util.ArrayList<>();
    for (int i = 1; i < at.size(); i++) {
      steps.add(at.get(i) - at.get(i - 1));
    }
    assertEquals(List.of(200L, 350L, 350L, 350L, 350L), steps);
  }

  @Test
  @DisplayName("TX-40 A retry whose value was set since is recorded, and empty")
  void obsolete() {
    engine.retry = policy(200, 1, 3);
    failing("create a/2", 1);
    engine.update(put("a/2"));

    assertEquals(
        List.of("C a/2 RT>CF", "C a/2/new NE>CF der"), ops(engine.update(put("a/2", "new"))));
    engine.outside.takeCalls();
    assertEquals(List.of("200 #2 for 0/1 []"), lines(10_000));
    assertEquals(List.of(), engine.outside.takeCalls());
  }

  @Test
  @DisplayName("TX-41 What failed in one transaction is tried again in one, in the order of keys")
  void grouped() {
    engine.retry = policy(100, 2, 3);
    failing("create a/4", 2);
    failing("create a/2", 1);
    engine.update(put("a/4"), put("a/3"), put("a/2"));

    assertEquals(
        List.of(
            "100 #1 for 0/1 [C a/2 RT>CF retry, C a/4 RT>RT retry err]",
            "300 #2 for 0/2 [C a/4 RT>CF retry]"),
        lines(1000));
  }

  @Test
  @DisplayName("TX-42 What is not retriable has failed at once, whoever says so")
  void notRetriable() {
    engine.retry = policy(100, 2, 3);
    a.retriable = failure -> !"final".equals(failure.getMessage());
    engine.outside.fail("create a/1", new java.io.IOException("final"), () -> {});
    engine.outside.fail(
        "create a/2", new UnsupportedOperationException("not implemented"), () -> {});
    engine.outside.fail("create a/3", new EvenkeelException(ErrorKind.INVALID, "no"), () -> {});
    engine.outside.fail("create a/4", new java.io.IOException("E"), () -> {});

    TransactionResult result = engine.update(put("a/1"), put("a/2"), put("a/3"), put("a/4"));

    assertEquals(
        List.of("C a/1 NE>FA err", "C a/2 NE>FA err", "C a/3 NE>FA err", "C a/4 NE>RT err"),
        ops(result));
    assertEquals(List.of("100 #1 for 0/1 [C a/4 RT>CF retry]"), lines(60_000));

    engine.core.nonRetriable().add(java.io.IOException.class);
    engine.outside.fail("create a/5", new RuntimeException(new java.io.IOException("E")), () -> {});
    assertEquals(List.of("C a/5 NE>FA err"), ops(engine.update(put("a/5"))));
    assertEquals(List.of(), lines(60_000));
  }

  @Test
  @DisplayName("TX-30 An invalid value is not tried again")
  void invalid() {
    engine.retry = policy(100, 2, 3);
    assertEquals(List.of("C a/3 NE>IV noop err"), ops(engine.update(put("a/3", "bad"))));
    assertEquals(List.of(), lines(60_000));
  }

  @Test
  @DisplayName("TW-6 The policy is the value's, not that of the transaction that sets it off")
  void policyOfTheValue() {
    engine.retry = policy(100, 2, 1);
    engine.update(put("b/2"));
    engine.retry = Optional.empty();
    failing("create b/2", 1);
    assertEquals(List.of("C a/1 NE>CF", "C b/2 PD>RT err"), ops(engine.update(put("a/1"))));
    assertEquals(List.of("100 #2 for 1/1 [C b/2 RT>CF retry]"), lines(1000));

    engine.update(put("a/9"));
    engine.retry = policy(100, 2, 1);
    failing("create a/9", 1);
    assertEquals(List.of("C a/8 NE>CF", "C a/9 PD>FA err"), ops(engine.update(put("a/8"))));
    assertEquals(List.of(), lines(1000));
  }

  @Test
  @DisplayName("TW-6 A value's own policy goes before the transaction's, in a resync, too")
  void ownPolicy() {
    TxnEntry own = new TxnEntry.Put<>("h", Val.key("a/1"), Val.list(), policy(500, 1, 1));
    engine.retry = policy(100, 1, 1);
    failing("create a/1", 4);
    failing("create a/2", 1);

    engine.update(own, put("a/2"));
    assertEquals(
        List.of("100 #1 for 0/1 [C a/2 RT>CF retry]", "500 #2 for 0/1 [C a/1 RT>FA retry err]"),
        lines(1000));
    engine.full(own, put("a/2"));
    assertEquals(List.of("1500 #4 for 3/1 [C a/1 RT>FA retry err]"), lines(1000));
  }

  @Test
  @DisplayName("TW-3 The goal is tried again: a delete that its dependent's failure kept back")
  void goal() {
    engine.update(put("a/1"));
    engine.retry = policy(100, 1, 3);
    engine.update(put("b/2"));
    failing("delete b/2", 1);

    TransactionResult result = engine.update(delete("a/1"));

    assertEquals(List.of("D b/2 CF>RT err"), ops(result));
    assertTrue(engine.core.isRetrying("/a/1"));
    assertEquals(List.of("100 #3 for 2/1 [D b/2 RT>PD retry, D a/1 CF>RM retry]"), lines(1000));
    assertEquals(Set.of(), engine.outside.state().keySet());
    assertEquals(ValueState.PENDING, engine.state("b/2"));
  }

  @Test
  @DisplayName(
      "A failed delete is tried again; so is the change that an obsolete item's delete kept back")
  void deletes() {
    engine.retry = policy(100, 1, 3);
    engine.update(put("a/1", "i"), put("a/2"));
    failing("delete a/2", 1);
    assertEquals(List.of("D a/2 CF>RT err"), ops(engine.update(delete("a/2"))));
    assertEquals(List.of("100 #2 for 1/1 [D a/2 RT>RM retry]"), lines(1000));

    failing("delete a/1/i", 1);
    assertEquals(List.of("D a/1/i CF>RT der err"), ops(engine.update(put("a/1", "j"))));
    assertEquals(ValueState.RETRYING, engine.state("a/1"));
    assertEquals(
        List.of(
            "1100 #4 for 3/1 [D a/1/i RT>RM der retry, U a/1 RT>CF retry, C a/1/j NE>CF der retry]"),
        lines(1000));
  }

  @Test
  @DisplayName(
      "Rules 35 and 36: a failure that is reverted is not tried again, one of the revert is")
  void revert() {
    engine.retry = policy(100, 1, 3);
    engine.update(put("a/1", "x"));
    failing("create a/3", 1);
    failing("delete a/2", 2);

    TransactionResult result = engine.reverting(put("a/2"), put("a/3"));

    assertEquals(TransactionOutcome.REVERT_INCOMPLETE, result.outcome());
    assertEquals(
        List.of("C a/2 NE>CF", "C a/3 NE>FA err", "D a/3 FA>RM noop rev", "D a/2 CF>RT rev err"),
        ops(result));
    assertEquals(
        List.of(
            "100 #2 for 1/1 [D a/2 RT>RT rev retry err]", "200 #3 for 1/2 [D a/2 RT>RM rev retry]"),
        lines(1000));
    assertEquals(Set.of("a/1", "a/1/x"), engine.outside.state().keySet());
  }

  @Test
  @DisplayName("Rule 36: what a failed revert still has to bring back is the former value")
  void revertToFormer() {
    engine.retry = Optional.empty();
    engine.update(put("a/1", "old"), put("b/1"));
    engine.retry = policy(100, 1, 3);
    failing("update b/1", 1);
    failing("create a/1/old", 1);

    TransactionResult result = engine.reverting(put("a/1", "new"), put("b/1", "x"));

    assertEquals(TransactionOutcome.REVERT_INCOMPLETE, result.outcome());
    assertEquals(ValueState.RETRYING, engine.state("a/1/old"));
    assertEquals(
        List.of("100 #2 for 1/1 [U a/1 CF>CF rev retry, C a/1/old RT>CF der rev retry]"),
        lines(1000));
    assertEquals(Set.of("a/1", "a/1/old", "b/1"), engine.outside.state().keySet());
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
  }

  @Test
  @DisplayName("What was waiting for its retry before a transaction that is put back, still is")
  void waitingSurvivesRevert() {
    engine.retry = policy(100, 1, 3);
    failing("create a/1", 1);
    engine.update(put("a/1"));
    failing("create a/2", 1);

    engine.reverting(put("a/1", "x"), put("a/2"));

    assertEquals(ValueState.RETRYING, engine.state("a/1"));
    assertEquals(List.of("100 #2 for 0/1 [C a/1 RT>CF retry]"), lines(1000));
  }

  @Test
  @DisplayName("JT-4 A hung key is not tried again before its call has returned")
  void hung() {
    engine.retry = policy(100, 1, 1);
    engine.hanging.add("create a/1");

    assertEquals(List.of("C a/1 NE>RT err"), ops(engine.update(put("a/1"))));
    assertEquals(List.of(), lines(10_000));
    engine.outside.fail("create a/1");
    failing("create a/1", 1);

    assertEquals(List.of("C a/1 RT>RT err"), ops(engine.returns()));
    assertEquals(List.of("10100 #2 for 1/1 [C a/1 RT>CF retry]"), lines(1000));
  }

  @Test
  @DisplayName("JT-4 A retry that hangs: what it had not come to waits on, and is refreshed first")
  void retryHangs() {
    engine.retry = policy(100, 1, 3);
    failing("create a/1", 1);
    failing("create a/2", 1);
    engine.update(put("a/1"), put("a/2"));
    engine.hanging.add("create a/1");

    List<Engine.Retried> retried = engine.pass(1000);

    assertEquals(TransactionOutcome.UNFINISHED, retried.get(0).result().outcome());
    assertEquals("100 #2 for 0/1 [C a/2 RT>CF retry]", retried.get(1).line());
    assertEquals(ValueState.RETRYING, engine.state("a/1"));
    assertEquals(TransactionOutcome.APPLIED, engine.returns().outcome());
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(List.of(), lines(10_000));
  }

  @Test
  @DisplayName("JT-7 A key under a lock is compared when it is free, and not tried before")
  void frozen() {
    engine.retry = policy(100, 1, 3);
    failing("create a/1", 1);
    engine.update(put("a/1"));
    engine.frozen = path -> path.equals("/a/1");

    assertEquals(List.of(), lines(10_000));
    assertEquals(Set.of("/a/1"), Set.copyOf(engine.core.dirty()));
    engine.frozen = path -> false;

    assertEquals(List.of("C a/1 RT>CF"), ops(engine.settle()));
    assertEquals(List.of(), lines(10_000));
  }

  @Test
  @DisplayName("A resync that mends what was waiting leaves nothing to its retry")
  void resyncMends() {
    engine.retry = policy(100, 1, 3);
    failing("create a/1", 1);
    engine.update(put("a/1"));
    assertEquals(List.of("C a/1 RT>CF"), ops(engine.downstream()));
    assertEquals(List.of("100 #2 for 0/1 []"), lines(10_000));
  }

  @Test
  @DisplayName("TW-22 Jitter shortens the delay by a random part, the same one for the same number")
  void jitter() {
    engine.core.retryRandomness(number -> new SplittableRandom(7 * number));
    engine.retry =
        Optional.of(new RetryPolicy(Duration.ofSeconds(10), 1, Duration.ofSeconds(10), 0, 0.5));
    failing("create a/1", 20);
    engine.update(put("a/1"));
    List<Long> at = engine.pass(200_000).stream().map(r -> r.at()).toList();
    long before = 0;
    Set<Long> steps = new java.util.TreeSet<>();
    for (long t : at) {
      steps.add(t - before);
      assertTrue(t - before >= 5_000 && t - before <= 10_000, at::toString);
      before = t;
    }
    assertTrue(steps.size() > 10, at::toString);
    long first = Math.round(10_000 - 5_000 * new SplittableRandom(7).nextDouble());
    assertTrue(Math.abs(at.get(0) - first) <= 1, at::toString);
  }

  @Test
  @DisplayName("TW-22 Beyond the engine's budget, retries wait longer than their policies say")
  void budget() {
    Engine small =
        new Engine(
            new SouthBound(),
            outside -> List.of(new MockDescriptor("a", outside)),
            new EngineSettings(
                new NonRetriable(),
                new RetryBudget(1, 2),
                dev.evenkeel.txn.history.HistoryOptions.off()));
    small.retry = policy(100, 1, 0);
    for (int i = 0; i < 100; i++) {
      small.outside.fail("create a/1");
      small.outside.fail("create a/2");
    }
    small.update(put("a/1"));
    small.update(put("a/2"));

    int tried = small.pass(20_000).size();

    assertTrue(tried >= 20 && tried <= 23, "tried " + tried);
  }
}
