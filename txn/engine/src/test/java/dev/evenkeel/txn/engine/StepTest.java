package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.failures;
import static dev.evenkeel.txn.engine.Engine.put;
import static dev.evenkeel.txn.engine.Engine.step;
import static dev.evenkeel.txn.engine.Engine.steps;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StepTest {
  private final Engine engine =
      new Engine(outside -> List.of(new MockDescriptor("a", outside).recreates("a/r")));
  private final Set<String> there = new HashSet<>();

  private Steps.Builder<String> begin(String name) {
    return Steps.step(name, String.class)
        .probe(
            context -> {
              engine.outside.call("probe", name);
              return there.contains(name) ? Probe.present("found " + name) : Probe.absent();
            })
        .apply(
            context -> {
              engine.outside.call("apply", name);
              there.add(name);
              return "made " + name;
            });
  }

  private Step<String> act(String name) {
    return begin(name)
        .undo(
            (context, done) -> {
              engine.outside.call("undo", name);
              engine.outside.calls.add("with " + done);
              there.remove(name);
            });
  }

  @Test
  @DisplayName("JT-5 A key belongs to the segment of its last write; steps split the values")
  void segments() {
    TransactionResult result =
        engine.update(
            put("a/2"), put("a/1"), step(act("s1")), put("a/2", "x"), step(act("s2")), put("a/0"));

    assertEquals(TransactionOutcome.APPLIED, result.outcome());
    assertEquals(
        List.of(
            "create a/1",
            "probe s1",
            "apply s1",
            "create a/2",
            "create a/2/x",
            "probe s2",
            "apply s2",
            "create a/0"),
        engine.outside.takeCalls());
    assertEquals(List.of("DONE s1", "DONE s2"), steps(result));
  }

  @Test
  @DisplayName("JT-5 Undo mirrors everything in reverse, values and steps")
  void undoMirrors() {
    engine.update(put("a/1", "x"), put("a/r", "x"));
    engine.outside.takeCalls();
    engine.outside.fail("create a/9");

    TransactionResult result =
        engine.reverting(
            delete("a/1"), step(act("s1")), put("a/r", "y"), step(act("s2")), put("a/9"));

    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals(List.of("h create a/9"), failures(result));
    assertEquals(List.of("DONE s1", "DONE s2", "UNDONE s2", "UNDONE s1"), steps(result));
    List<String> calls = engine.outside.takeCalls();
    assertEquals(
        List.of(
            "create a/9",
            "retrieve DA",
            "undo s2",
            "with made s2",
            "delete a/r/y",
            "delete a/r",
            "create a/r",
            "create a/r/x",
            "undo s1",
            "with made s1",
            "create a/1",
            "create a/1/x"),
        calls.subList(calls.indexOf("create a/9"), calls.size()));
    assertEquals(
        Map.of("a/1", "L", "a/1/x", "x", "a/r", "L", "a/r/x", "x"), engine.outside.state());
    assertEquals(Set.of(), there);
  }

  @Test
  @DisplayName("JT-3 A step found present is adopted, and never undone in a serial event")
  void adopted() {
    there.add("s1");
    engine.outside.fail("apply s2");

    TransactionResult result = engine.reverting(step(act("s1")), step(act("s2")));

    assertEquals(List.of("ADOPTED s1", "FAILED s2"), steps(result));
    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals(Set.of("s1"), there);
    assertEquals(
        List.of("probe s1", "probe s2", "apply s2", "probe s2"), engine.outside.takeCalls());
  }

  @Test
  @DisplayName("A step that failed half-way is looked at again, and undone when it is there")
  void failedButThere() {
    engine.outside.fail("apply s1", () -> there.add("s1"));

    TransactionResult result = engine.reverting(put("a/1"), step(act("s1")), put("a/2"));

    assertEquals(List.of("FAILED s1", "UNDONE s1"), steps(result));
    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals(Set.of(), there);
    assertEquals(
        List.of(
            "create a/1",
            "probe s1",
            "apply s1",
            "probe s1",
            "undo s1",
            "with found s1",
            "delete a/1"),
        engine.outside.takeCalls());
  }

  @Test
  @DisplayName("Rule 5: nothing behind a step that will not undo is undone")
  void undoFails() {
    engine.outside.fail("apply s3").fail("undo s2");

    TransactionResult result =
        engine.reverting(put("a/1"), step(act("s1")), step(act("s2")), step(act("s3")));

    assertEquals(TransactionOutcome.REVERT_INCOMPLETE, result.outcome());
    assertEquals(List.of("h apply s3", "h undo s2"), failures(result));
    assertEquals(List.of("DONE s1", "DONE s2", "FAILED s3", "UNDO_FAILED s2"), steps(result));
    assertEquals(Set.of("s1", "s2"), there);
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
  }

  @Test
  @DisplayName("Rule 5: a value that will not go back keeps the step before it")
  void valueKeepsStep() {
    engine.outside.fail("create a/9").fail("delete a/1");

    TransactionResult result =
        engine.reverting(step(act("s1")), put("a/1"), put("a/2"), put("a/9"));

    assertEquals(TransactionOutcome.REVERT_INCOMPLETE, result.outcome());
    assertEquals(Set.of("s1"), there);
    assertEquals(Set.of("a/1"), engine.outside.state().keySet(), "a/2 is still put back");
  }

  @Test
  @DisplayName("A step that cannot be taken back stops the way back")
  void forwardOnly() {
    engine.outside.fail("create a/1");

    TransactionResult result =
        engine.reverting(step(act("s1")), step(begin("s2").forwardOnly()), put("a/1"));

    assertEquals(TransactionOutcome.REVERT_INCOMPLETE, result.outcome());
    assertEquals(List.of("h create a/1", "h undo s2"), failures(result));
    assertEquals(Set.of("s1", "s2"), there);
  }

  @Test
  @DisplayName("With best effort the rest goes on after a failed step, and can see what ran")
  void bestEffort() {
    engine.outside.fail("apply s1");
    Ref<String> first = new Ref<>("s1", String.class);
    Ref<String> second = new Ref<>("s2", String.class);

    TransactionResult result =
        engine.update(
            step(act("s1")),
            step(act("s2")),
            step(
                Steps.step("s3", String.class).apply(context -> context.get(second)).forwardOnly()),
            step(Steps.step("s4", String.class).apply(context -> context.get(first)).forwardOnly()),
            put("a/1"));

    assertEquals(TransactionOutcome.APPLIED_WITH_FAILURES, result.outcome());
    assertEquals(List.of("FAILED s1", "DONE s2", "DONE s3", "FAILED s4"), steps(result));
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
  }
}
