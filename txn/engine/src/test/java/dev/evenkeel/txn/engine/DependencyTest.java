package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.failures;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DependencyTest {
  private static Engine engine(Consumer<MockDescriptor> setup) {
    return new Engine(
        outside -> {
          MockDescriptor a = new MockDescriptor("a", outside);
          setup.accept(a);
          return List.of(a, new MockDescriptor("c", outside));
        });
  }

  private static Engine cycle() {
    return engine(
        a -> {
          a.retrieves = false;
          a.needs("a/1", "a/2").needs("a/2", "a/3").needs("a/3", "a/4", "a/1");
        });
  }

  private static Engine readyCycle() {
    Engine engine = cycle();
    engine.update(put("a/1"), put("a/2"), put("a/3"));
    engine.update(put("a/4"));
    engine.outside.takeCalls();
    return engine;
  }

  @Test
  @DisplayName("TX-04 A cycle that also needs something else stays pending")
  void cyclePending() {
    Engine engine = cycle();

    TransactionResult result = engine.update(put("a/1"), put("a/2"), put("a/3"));

    assertEquals(List.of("C a/1 NE>PD noop", "C a/2 NE>PD noop", "C a/3 NE>PD noop"), ops(result));
    assertEquals(TransactionOutcome.APPLIED, result.outcome());
    assertEquals(List.of(), engine.outside.takeCalls());
    assertEquals(List.of("a/2"), engine.status("a/1").details());
    assertEquals(List.of("a/3"), engine.status("a/2").details());
    assertEquals(List.of("a/4", "a/1"), engine.status("a/3").details());
  }

  @Test
  @DisplayName("TX-05 A cycle becomes ready with its last outer dependency")
  void cycleReady() {
    Engine engine = cycle();
    engine.update(put("a/1"), put("a/2"), put("a/3"));

    TransactionResult result = engine.update(put("a/4"));

    assertEquals(List.of("C a/4 NE>CF", "C a/3 PD>CF", "C a/2 PD>CF", "C a/1 PD>CF"), ops(result));
    assertEquals(
        List.of("create a/4", "create a/3", "create a/2", "create a/1"),
        engine.outside.takeCalls());
  }

  @Test
  @DisplayName("TX-06 TX-07 A failed delete breaks a cycle; a new value restores it")
  void cycleBroken() {
    Engine engine = readyCycle();
    engine.outside.fail("delete a/2");

    TransactionResult result = engine.update(delete("a/2"));

    assertEquals(List.of("D a/3 CF>PD", "D a/1 CF>PD", "D a/2 CF>FA err"), ops(result));
    assertEquals(List.of("h delete a/2"), failures(result));
    assertEquals(TransactionOutcome.APPLIED_WITH_FAILURES, result.outcome());
    assertEquals(Set.of("a/2", "a/4"), engine.outside.state().keySet());
    assertEquals(List.of("a/2"), engine.status("a/1").details());
    assertEquals(List.of("a/1"), engine.status("a/3").details());

    engine.outside.things.remove("/a/2");
    assertEquals(
        Set.of("C a/2 FA>CF", "C a/1 PD>CF", "C a/3 PD>CF"),
        Set.copyOf(ops(engine.update(put("a/2", "new")))).stream()
            .filter(line -> !line.contains("a/2/new"))
            .collect(java.util.stream.Collectors.toSet()));
    for (String path : List.of("a/1", "a/2", "a/3", "a/4")) {
      assertEquals(ValueState.CONFIGURED, engine.state(path));
    }
  }

  @Test
  @DisplayName("Rule 32: a member of a cycle that cannot be created takes the others with it")
  void cycleMemberFails() {
    Engine engine = cycle();
    engine.update(put("a/1"), put("a/2"), put("a/3"));
    engine.outside.fail("create a/2");

    TransactionResult result = engine.update(put("a/4"));

    assertEquals(
        List.of("C a/4 NE>CF", "C a/3 PD>CF", "C a/2 PD>FA err", "D a/3 CF>PD"), ops(result));
    assertEquals(Set.of("a/4"), engine.outside.state().keySet());
  }

  @Test
  @DisplayName("TX-08 A failed delete of a derived value keeps its base")
  void derivedDeleteFails() {
    Engine engine = engine(a -> {});
    engine.update(put("a/1", "i"));
    engine.outside.fail("delete a/1/i");

    TransactionResult result = engine.update(delete("a/1"));

    assertEquals(List.of("D a/1/i CF>FA der err"), ops(result));
    assertEquals(List.of("h delete a/1/i"), failures(result));
    assertEquals("/a/1", result.failures().get(0).base().orElseThrow());
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(ValueOperation.DELETE, engine.status("a/1").last());
    var derived = engine.status("a/1").derived().get(0);
    assertEquals(ValueState.FAILED, derived.state());
    assertEquals(ValueOperation.DELETE, derived.last());
    assertEquals(Set.of("a/1", "a/1/i"), engine.outside.state().keySet());
  }

  @Test
  @DisplayName("TX-09 A failed re-creation of a derived value")
  void derivedRecreateFails() {
    Engine engine = engine(a -> a.recreates("a/1/i"));
    engine.update(put("a/1", "i=1"));
    engine.outside.fail("create a/1/i");

    TransactionResult result = engine.update(put("a/1", "i=2"));

    assertEquals(
        List.of("U a/1 CF>CF", "D a/1/i CF>RM der recr", "C a/1/i RM>FA der recr err"),
        ops(result));
    assertEquals(List.of("h create a/1/i"), failures(result));
  }

  @Test
  @DisplayName("TX-21 The order of dependencies beats the order of keys")
  void dependencyOrder() {
    Engine engine = engine(a -> a.needs("a/1", "a/2").needs("a/3", "a/2"));

    TransactionResult result = engine.update(put("a/1"), put("a/2"), put("a/3"));

    assertEquals(List.of("C a/2 NE>CF", "C a/1 NE>CF", "C a/3 NE>CF"), ops(result));
  }

  @Test
  @DisplayName("TX-22 Dependents go before what they need")
  void deleteOrder() {
    Engine engine = engine(a -> a.needs("a/1", "a/2").needs("a/3", "a/2"));
    engine.update(put("a/1"), put("a/2"), put("a/3"));

    assertEquals(
        List.of("D a/1 CF>PD", "D a/3 CF>RM", "D a/2 CF>RM"),
        ops(engine.update(delete("a/2"), delete("a/3"))));

    engine.update(put("a/2"), put("a/3"));
    assertEquals(
        List.of("D a/1 CF>RM", "D a/3 CF>RM", "D a/2 CF>RM"),
        ops(engine.update(delete("a/1"), delete("a/2"), delete("a/3"))));
  }

  @Test
  @DisplayName("TX-24 A new value whose dependency is unmet waits, and so does its old one's place")
  void newDependency() {
    Engine engine =
        engine(
            a ->
                a.needs(
                    "a/1",
                    value ->
                        value.equals(Val.list("i"))
                            ? List.of()
                            : List.of(
                                value.equals(Val.list("i=2"))
                                    ? new Dependency.On("two", "/a/2")
                                    : new Dependency.On("three", "/a/3"))));
    engine.update(put("a/1", "i"));
    engine.outside.takeCalls();

    TransactionResult unmet = engine.update(put("a/1", "i=2"));

    assertEquals(List.of("D a/1/i CF>RM der", "U a/1 CF>PD"), ops(unmet));
    assertEquals(List.of("delete a/1/i", "delete a/1"), engine.outside.takeCalls());
    assertEquals(List.of("two"), engine.status("a/1").details());
    assertEquals(
        List.of("C a/2 NE>CF", "C a/1 PD>CF", "C a/1/i NE>CF der"), ops(engine.update(put("a/2"))));
    assertEquals(
        List.of("C a/3 NE>CF", "U a/1 CF>CF", "U a/1/i CF>CF der"),
        ops(engine.update(put("a/1", "i=3"), put("a/3"))));
    assertEquals(
        List.of("D a/1/i CF>RM der", "D a/1 CF>PD", "D a/3 CF>RM"),
        ops(engine.update(delete("a/3"))));
    engine.outside.takeCalls();
    assertEquals(List.of("D a/1 PD>RM noop"), ops(engine.update(delete("a/1"))));
    assertEquals(List.of(), engine.outside.takeCalls());
  }

  @Test
  @DisplayName("TX-27 Any of several keys will do")
  void anyOf() {
    Engine engine =
        new Engine(
            outside ->
                List.of(
                    new MockDescriptor("a", outside),
                    new MockDescriptor("b", outside)
                        .needs(
                            "b/1",
                            value ->
                                List.of(
                                    new Dependency.AnyOf(
                                        "any", List.of("/a/"), path -> !path.contains("skip"))))));

    assertEquals(List.of("C b/1 NE>PD noop"), ops(engine.update(put("b/1"))));
    assertEquals(List.of("C a/skip NE>CF"), ops(engine.update(put("a/skip"))));
    assertEquals(List.of("C a/1 NE>CF", "C b/1 PD>CF"), ops(engine.update(put("a/1"))));
    assertEquals(List.of("C a/2 NE>CF"), ops(engine.update(put("a/2"))));
    assertEquals(List.of("D a/1 CF>RM"), ops(engine.update(delete("a/1"))));
    assertEquals(List.of("D b/1 CF>PD", "D a/2 CF>RM"), ops(engine.update(delete("a/2"))));
    engine.update(put("a/3"));
    assertEquals(
        List.of("D b/1 CF>PD", "D a/3 CF>RM", "C a/4 NE>CF", "C b/1 PD>CF"),
        ops(engine.update(delete("a/3"), put("a/4"))));
  }

  @Test
  @DisplayName("TX-28 A failed create leaves its dependent pending; repeating it applies both")
  void failedCreate() {
    Engine engine = engine(a -> a.needs("a/2", "a/1"));
    engine.outside.fail("create a/1");

    TransactionResult result = engine.update(put("a/1"), put("a/2"));

    assertEquals(List.of("C a/1 NE>FA err", "C a/2 NE>PD noop"), ops(result));
    assertEquals(List.of("h create a/1"), failures(result));
    assertEquals(List.of("C a/1 FA>CF", "C a/2 PD>CF"), ops(engine.update(put("a/1"))));
  }

  @Test
  @DisplayName("TX-29 After a failed update the old value is what is there, and what is deleted")
  void failedUpdate() {
    Engine engine = engine(a -> a.needs("a/2", "a/1"));
    engine.update(put("a/1", "x"), put("a/2"));
    engine.outside.fail("update a/1");
    engine.outside.takeCalls();

    TransactionResult result = engine.update(put("a/1", "x", "y"));

    assertEquals(List.of("U a/1 CF>FA err"), ops(result));
    assertEquals(List.of("update a/1", "retrieve DA"), engine.outside.takeCalls());
    assertEquals(ValueState.CONFIGURED, engine.state("a/2"));
    assertEquals(Val.list("x"), engine.core.values().applied(Val.key("a/1")).orElseThrow());
    assertEquals(
        List.of("D a/1/x CF>RM der", "D a/2 CF>PD", "D a/1 FA>RM"),
        ops(engine.update(delete("a/1"))));
    assertEquals(Set.of(), engine.outside.state().keySet());
  }

  @Test
  @DisplayName("TX-30 An invalid value is not applied, and says which fields are wrong")
  void invalid() {
    Engine engine = engine(a -> {});

    TransactionResult result = engine.update(put("a/3", "bad"));

    assertEquals(List.of("C a/3 NE>IV noop err"), ops(result));
    assertEquals(List.of("h create a/3"), failures(result));
    assertEquals(List.of("items"), engine.status("a/3").details());
    assertEquals(List.of(), engine.outside.takeCalls());
    TransactionResult reverted = engine.reverting(put("a/1", "bad"), put("a/2"));
    assertEquals(TransactionOutcome.REVERTED, reverted.outcome());
    assertEquals(List.of("C a/1 NE>IV noop err", "D a/1 IV>RM noop rev"), ops(reverted));
    assertEquals(ValueState.NONEXISTENT, engine.state("a/1"));
  }

  @Test
  @DisplayName("TX-31, TW-1 An update to an invalid value keeps what is applied")
  void updateToInvalid() {
    Engine engine = engine(a -> a.needs("a/2", "a/1"));
    engine.update(put("a/1", "x"), put("a/2"));
    engine.outside.takeCalls();

    TransactionResult result = engine.update(put("a/1", "bad"));

    assertEquals(List.of("U a/1 CF>IV noop err"), ops(result));
    assertEquals(List.of(), engine.outside.takeCalls());
    assertEquals(ValueState.INVALID, engine.state("a/1"));
    assertEquals(ValueState.CONFIGURED, engine.state("a/2"));
    assertEquals(Val.list("x"), engine.core.values().applied(Val.key("a/1")).orElseThrow());

    TransactionResult valid = engine.update(put("a/1", "y"));
    assertEquals(List.of("D a/1/x CF>RM der", "U a/1 IV>CF", "C a/1/y NE>CF der"), ops(valid));
    assertEquals(Val.list("x"), valid.operations().get(1).previous().orElseThrow());

    engine.update(put("a/1", "bad"));
    engine.outside.takeCalls();
    assertEquals(
        List.of("D a/1/y CF>RM der", "D a/2 CF>PD", "D a/1 IV>RM"),
        ops(engine.update(delete("a/1"))));
    assertEquals(List.of("delete a/1/y", "delete a/2", "delete a/1"), engine.outside.takeCalls());
  }

  @Test
  @DisplayName("Rule 26: what depends on a re-created value goes and comes back")
  void recreateWithDependents() {
    Engine engine = engine(a -> a.recreates("a/1").needs("a/2", "a/1").needs("a/3", "a/1/i"));
    engine.update(put("a/1", "i"), put("a/2"), put("a/3"));

    assertEquals(
        List.of(
            "D a/3 CF>PD",
            "D a/1/i CF>RM der recr",
            "D a/2 CF>PD",
            "D a/1 CF>RM recr",
            "C a/1 RM>CF recr",
            "C a/2 PD>CF",
            "C a/1/i NE>CF der recr",
            "C a/3 PD>CF",
            "C a/1/j NE>CF der"),
        ops(engine.update(put("a/1", "i", "j"))));
  }

  @Test
  @DisplayName("Rule 1: a key has one value: not a base and a derived one, not two derived ones")
  void oneValuePerKey() {
    Engine engine = engine(a -> {});
    engine.update(put("a/1", "i"));

    TransactionResult set = engine.update(put("a/1/i", "z"));
    assertEquals(List.of("h update a/1/i"), failures(set));
    assertEquals(List.of(), ops(set));

    engine.update(put("a/2/i"));
    TransactionResult derived = engine.update(put("a/2", "i"));
    assertEquals(List.of("C a/2 NE>CF"), ops(derived));
    assertEquals(List.of("h create a/2/i"), failures(derived));
    assertEquals(Set.of("a/1", "a/1/i", "a/2", "a/2/i"), engine.outside.state().keySet());
  }

  @Test
  @DisplayName("B2 What fails and has a policy is retrying, and its status says why")
  void retryState() {
    Engine engine = engine(a -> {});
    engine.retry = java.util.Optional.of(dev.evenkeel.api.txn.RetryPolicy.DEFAULT);
    engine.outside.fail("create a/1");

    engine.update(put("a/1"));

    assertEquals(ValueState.RETRYING, engine.state("a/1"));
    assertEquals("E", engine.status("a/1").failure().orElseThrow().message().split(": ", 2)[1]);
  }

  @Test
  @DisplayName("TW-20 A dependency with another predicate but the same label is another one")
  void otherPredicate() {
    Engine engine =
        engine(
            a ->
                a.needs(
                    "a/1",
                    value ->
                        List.of(
                            new Dependency.AnyOf(
                                "any",
                                List.of("/c/"),
                                path -> path.endsWith(value.equals(Val.list("x")) ? "x" : "y")))));
    engine.update(put("c/x"), put("a/1", "x"));

    assertEquals(List.of("D a/1/x CF>RM der", "U a/1 CF>PD"), ops(engine.update(put("a/1", "y"))));
    assertEquals(
        List.of("C c/y NE>CF", "C a/1 PD>CF", "C a/1/y NE>CF der"), ops(engine.update(put("c/y"))));
  }
}
