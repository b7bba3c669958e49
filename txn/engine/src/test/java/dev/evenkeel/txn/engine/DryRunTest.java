package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DryRunTest {
  private static Engine engine(Consumer<MockDescriptor> setUp) {
    return new Engine(
        outside -> {
          MockDescriptor a = new MockDescriptor("a", outside);
          setUp.accept(a);
          return List.of(a);
        });
  }

  @Test
  @DisplayName("TX-63 The plan is the path of success; what is executed is what has come of it")
  void planAndExecution() {
    Engine engine = engine(a -> a.needs("a/2", "a/1"));
    engine.update(put("a/1", "x"));
    engine.outside.fail("create a/2");
    engine.outside.takeCalls();

    TransactionResult plan =
        engine.dry(EventMethod.UPDATE, true, put("a/1", "y"), put("a/2"), delete("a/9"));

    assertEquals(
        List.of("C a/2 NE>CF", "D a/1/x CF>RM der", "U a/1 CF>CF", "C a/1/y NE>CF der"), ops(plan));
    assertEquals(TransactionOutcome.APPLIED, plan.outcome());
    assertEquals(List.of(), engine.outside.takeCalls());
    assertEquals(ValueState.NONEXISTENT, engine.state("a/2"));

    TransactionResult result = engine.reverting(put("a/1", "y"), put("a/2"), delete("a/9"));

    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals("C a/2 NE>FA err", ops(result).get(0));
  }

  @Test
  @DisplayName("TX-63, TW-18 A notification that is ignored has an empty plan")
  void ignoredNotification() {
    Engine engine = engine(a -> {});
    engine.update(put("a/1", "x"));
    TreeMap<Key<?>, Optional<Object>> told = new TreeMap<>();
    told.put(Val.key("a/1"), Optional.of(Val.list("y")));
    told.put(Val.key("b/1"), Optional.of(Val.list()));

    TransactionResult plan =
        engine.dry(
            () -> engine.core.beginNotification(new Notification(told), engine.frozen, engine.now));

    assertEquals(List.of(), ops(plan));
    assertEquals(List.of("a/1"), List.of(engine.status("a/1").key().substring(1)));
    assertEquals(ValueState.NONEXISTENT, engine.state("b/1"));
  }

  @Test
  @DisplayName("A plan of a resync looks at the outside, and forgets what it has seen")
  void planOfResync() {
    Engine engine = engine(a -> a.recreates("a/3"));
    engine.outside.put("a/1", 0, Origin.NORTH, "i1");
    engine.outside.put("a/3", 2, Origin.NORTH, "i1");

    TransactionResult plan = engine.dry(EventMethod.FULL_RESYNC, false, put("a/3", "i2"));

    assertEquals(List.of("retrieve DA"), engine.outside.takeCalls());
    assertEquals(ValueState.NONEXISTENT, engine.state("a/1"));
    assertEquals(List.of(), engine.core.values().statuses(""));

    TransactionResult result = engine.full(put("a/3", "i2"));

    assertEquals(ops(result), ops(plan));
    assertEquals(result.operations(), plan.operations());
    assertTrue(ops(plan).contains("D a/1 DI>RM"), () -> ops(plan).toString());
  }

  @Test
  @DisplayName("A plan tells the steps, and does none")
  void steps() {
    Engine engine = engine(a -> {});
    Step<String> step =
        Steps.step("s", String.class)
            .probe(
                context -> {
                  throw new IllegalStateException("not in a plan");
                })
            .apply(
                context -> {
                  throw new IllegalStateException("not in a plan");
                })
            .forwardOnly();

    TransactionResult plan =
        engine.dry(EventMethod.UPDATE, false, put("a/1"), Engine.step(step), put("a/2"));

    assertEquals(List.of("C a/1 NE>CF", "C a/2 NE>CF"), ops(plan));
    assertEquals(List.of("DONE s"), Engine.steps(plan));
  }

  @Test
  @DisplayName("A plan of a retry leaves the retry waiting")
  void planOfRetry() {
    Engine engine = engine(a -> {});
    engine.retry =
        Optional.of(new RetryPolicy(Duration.ofMillis(100), 1, Duration.ofSeconds(9), 2, 0));
    engine.outside.fail("create a/1");
    engine.update(put("a/1"));
    var unused = engine.core.nextRetry(engine.frozen, engine.now);
    engine.now = engine.now.plusMillis(100);

    for (int i = 0; i < 2; i++) {
      TransactionResult plan = engine.dry(() -> engine.core.beginRetry(engine.frozen, engine.now));
      assertEquals(List.of("C a/1 RT>CF retry"), ops(plan));
      assertEquals(ValueState.RETRYING, engine.state("a/1"));
    }
    TransactionResult result = engine.run(engine.core.beginRetry(engine.frozen, engine.now));
    assertEquals(List.of("C a/1 RT>CF retry"), ops(result));
  }

  @Test
  @DisplayName("What a plan makes itself has no metadata yet, and a change of it can be planned")
  void assumedMetadata() {
    Engine engine =
        engine(
            a -> {
              a.needs("a/2", "a/1");
              a.recreatesIf = metadata -> metadata > 5;
            });
    engine.update(put("a/2", "x"));

    TransactionResult plan = engine.dry(EventMethod.UPDATE, false, put("a/1"), put("a/2", "y"));

    assertEquals(List.of(), plan.failures());
    assertEquals(ops(engine.update(put("a/1"), put("a/2", "y"))), ops(plan));
  }

  @Test
  @DisplayName("The record of a dry run has a plan, and nothing that was done")
  void recorded() {
    Engine engine = engine(a -> {});

    TransactionResult plan = engine.dry(EventMethod.UPDATE, false, put("a/1"));

    TransactionRecord record =
        engine.core.history().orElseThrow().find(plan.number()).orElseThrow();
    assertTrue(record.dryRun());
    assertEquals(Optional.of(plan.operations()), record.planned());
    assertEquals(List.of(), record.executed());
    assertFalse(record.running());
    assertEquals(Optional.of(TransactionOutcome.APPLIED), record.outcome());
    assertEquals(plan.number() + 1, engine.update(put("a/1")).number());
  }

  @Test
  @DisplayName("A plan that takes derived values away leaves them in every status that follows")
  void derivedStay() {
    Engine engine =
        engine(
            a ->
                a.needs(
                    "a/1/x",
                    value -> List.of(new Dependency.AnyOf("any", List.of("/a/0"), path -> true))));
    engine.update(put("a/1", "x", "y"));
    engine.dry(EventMethod.UPDATE, true, put("a/0"), put("a/1"));
    engine.dry(EventMethod.UPSTREAM_RESYNC, false, put("a/1", "x", "y"));

    engine.upstream(put("a/1", "x", "y"));

    assertEquals(
        List.of("/a/1/x", "/a/1/y"),
        engine.status("a/1").derived().stream().map(ValueStatus::key).toList());
  }

  @Test
  @DisplayName("While a transaction runs nothing else begins: no plan, no look, no other one")
  void oneAtATime() {
    Engine engine = engine(a -> {});
    Cursor<TransactionResult> running =
        engine.core.begin(engine.txn(EventMethod.UPDATE, false, put("a/1")));

    assertThrows(
        IllegalStateException.class,
        () -> engine.core.beginObservation(ObserveValues.below("", 10)));
    assertThrows(
        IllegalStateException.class, () -> engine.dry(EventMethod.UPDATE, false, put("a/2")));
    assertThrows(IllegalStateException.class, () -> engine.update(put("a/2")));

    assertEquals(List.of("C a/1 NE>CF"), ops(engine.run(running)));
  }

  @Test
  @DisplayName("TX-63 A transaction that is planned first has one record, with both lists")
  void plannedFirst() {
    Engine engine = engine(a -> {});
    engine.outside.fail("create a/2");

    TransactionResult result =
        engine.run(
            engine.core.planned(
                () ->
                    engine.core.begin(
                        engine.txn(EventMethod.UPDATE, true, put("a/1"), put("a/2")))));

    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals(0, result.number());
    TransactionRecord record = engine.core.history().orElseThrow().find(0).orElseThrow();
    assertEquals(
        List.of("a/1 CONFIGURED", "a/2 CONFIGURED"),
        record.planned().orElseThrow().stream()
            .map(o -> o.key().substring(1) + " " + o.after())
            .toList());
    assertEquals(result.operations(), record.executed());
    assertEquals(1, engine.core.history().orElseThrow().count());
    TransactionResult refused =
        engine.run(
            engine.core.planned(
                () -> engine.core.begin(engine.txn(EventMethod.FULL_RESYNC, true, put("a/1")))));
    assertEquals(TransactionOutcome.REJECTED, refused.outcome());
    assertEquals(1, engine.update(put("a/1")).number());
  }

  @Test
  @DisplayName("JT-4 What becomes of a late return can be planned, and is then done all the same")
  void planOfReturn() {
    Engine engine = engine(a -> {});
    engine.hanging.add("create a/1");
    engine.update(put("a/1", "x"));
    ActionOutcome done = new ActionOutcome.Done(7, Duration.ZERO);
    Supplier<Cursor<TransactionResult>> begin =
        () -> engine.core.beginReturned(engine.hung.get(0), done, engine.frozen, engine.now);

    engine.outside.things.put("/a/1", new SouthBound.Thing(Val.list(), 7, Origin.NORTH));
    TransactionResult plan = engine.dry(begin);
    assertEquals(List.of("U a/1 CF>CF", "C a/1/x NE>CF der"), ops(plan));
    assertEquals(ValueState.FAILED, engine.state("a/1"));

    TransactionResult result = engine.run(engine.core.planned(begin));
    assertEquals(List.of("U a/1 CF>CF", "C a/1/x NE>CF der"), ops(result));
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
  }

  @Test
  @DisplayName("What cannot begin leaves no dry run behind")
  void refused() {
    Engine engine = engine(a -> {});

    assertThrows(
        IllegalStateException.class,
        () -> engine.core.dryRun(() -> engine.core.beginRetry(engine.frozen, engine.now)));
    assertEquals(
        TransactionOutcome.REJECTED,
        engine.dry(EventMethod.UPSTREAM_RESYNC, true, put("a/1")).outcome());

    assertEquals(List.of("C a/1 NE>CF"), ops(engine.update(put("a/1"))));
    assertEquals(List.of("create a/1"), engine.outside.takeCalls());
  }

  @Test
  @DisplayName("A copy of a node holds everything that a dry run may change")
  void copyIsWhole() throws IllegalAccessException {
    Set<String> graphs =
        Set.of(
            "bound",
            "derived",
            "dependents",
            "held",
            "counted",
            "touched",
            "moved",
            "seen",
            "entry");
    Node node = new Node(Val.key("a/1"), null, null);
    Node other = new Node(Val.key("a/1"), null, null);
    for (Field field : Node.class.getDeclaredFields()) {
      if (!Modifier.isFinal(field.getModifiers()) && !graphs.contains(field.getName())) {
        set(field, node);
        assertNotEquals(field.get(node), field.get(other), field.getName());
        assertEquals(field.get(node), field.get(node.copy()), field.getName());
      }
    }
  }

  private static void set(Field field, Node node) throws IllegalAccessException {
    Class<?> type = field.getType();
    if (type == boolean.class) {
      field.set(node, true);
    } else if (type == long.class) {
      field.set(node, 77L);
    } else if (type == String.class) {
      field.set(node, "other");
    } else if (type == Optional.class) {
      field.set(node, Optional.of("other"));
    } else if (type == List.class) {
      field.set(node, List.of("other"));
    } else if (type.isEnum()) {
      field.set(node, type.getEnumConstants()[2]);
    } else if (type == Object.class) {
      field.set(node, "other");
    } else if (type == RetryGroup.class) {
      field.set(node, new RetryGroup(new RetryGroup.Id(1, Duration.ZERO, 1, false)));
    } else {
      field.set(node, dev.evenkeel.api.Failure.of("a", "b", new IllegalStateException("c")));
    }
  }
}
