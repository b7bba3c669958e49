package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.failures;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.Retriever;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rules of the transactions reference that no scenario names. */
class RulesTest {
  private final SouthBound south = new SouthBound();
  private final MockDescriptor a = new MockDescriptor("a", south).needs("a/2", "a/1");
  private final Engine engine = new Engine(south, outside -> List.of(a));

  @Test
  @DisplayName("Rule 4: without an updater every change is a re-creation, with one none is")
  void noUpdater() {
    engine.update(put("a/1", "x"));
    assertEquals(
        List.of("D a/1/x CF>RM der", "U a/1 CF>CF", "C a/1/y NE>CF der"),
        ops(engine.update(put("a/1", "y"))));

    a.updates = false;
    Engine other = new Engine(south, outside -> List.of(a));
    other.full(put("a/1", "y"));
    assertEquals(
        List.of(
            "D a/1/y CF>RM der recr", "D a/1 CF>RM recr", "C a/1 RM>CF recr", "C a/1/z NE>CF der"),
        ops(other.update(put("a/1", "z"))));
  }

  @Test
  @DisplayName(
      "Rule 7: an unknown origin is the controller's if it puts the key or knew it, else the outside's")
  void unknownOrigin() {
    south.put("a/1", 0, Origin.UNKNOWN);
    south.put("a/3", 1, Origin.UNKNOWN);
    engine.full(put("a/1"));

    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(ValueState.OBTAINED, engine.state("a/3"));

    engine.update(put("a/4"));
    south.put("a/4", 2, Origin.UNKNOWN, "more");
    engine.downstream();
    assertEquals(ValueState.CONFIGURED, engine.state("a/4"));
    assertEquals("{a/1=L, a/3=L, a/4=L}", south.state().toString());
  }

  @Test
  @DisplayName("Rule 9: the last operation is what was asked for, not what it came to")
  void lastOperation() {
    a.recreates("a/1");
    engine.update(put("a/1", "x"));
    assertEquals(ValueOperation.CREATE, engine.status("a/1").last());
    engine.update(put("a/1", "y"));
    assertEquals(ValueOperation.UPDATE, engine.status("a/1").last(), "of a re-creation");
    engine.update(put("a/3"));
    engine.update(put("a/3"));
    assertEquals(ValueOperation.UPDATE, engine.status("a/3").last(), "of the same once more");
    south.fail("delete a/1/y");
    engine.update(delete("a/1"));
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(ValueOperation.DELETE, engine.status("a/1").last(), "of a failed delete");
    engine.says("a/9");
    assertEquals(ValueOperation.UNDEFINED, engine.status("a/9").last(), "of the outside's");
  }

  @Test
  @DisplayName("Rule 29: an update of a value does not touch what depends on it")
  void dependentsOfAnUpdate() {
    engine.update(put("a/1", "x"), put("a/2", "z"));
    south.takeCalls();

    assertEquals(
        List.of("U a/1 CF>CF", "C a/1/y NE>CF der"), ops(engine.update(put("a/1", "x", "y"))));
    assertEquals(List.of("update a/1", "create a/1/y"), south.takeCalls());
  }

  @Test
  @DisplayName("Rule 33: what has failed in a transaction is not tried again in it")
  void brokenOnce() {
    a.needs(
            "a/7",
            value -> List.of(new Dependency.AnyOf("any", List.of("/a/1", "/a/2"), path -> true)))
        .needs("a/8", "a/7");
    engine.update(put("a/7"), put("a/8"));
    south.takeCalls();
    south.fail("create a/7").fail("create a/7");

    // a/1 and a/2 both wake a/7: it is tried once
    var result = engine.update(put("a/1"), put("a/2"));

    assertEquals(List.of("h create a/7"), failures(result));
    assertEquals(1, south.calls.stream().filter("create a/7"::equals).count());
    assertEquals(ValueState.FAILED, engine.state("a/7"));
    assertEquals(ValueState.PENDING, engine.state("a/8"));
  }

  @Test
  @DisplayName("Rule 45: a downstream resync applies what was last asked for, a failed one, too")
  void downstreamAppliesTheWish() {
    south.fail("create a/1", () -> {});
    engine.update(put("a/1", "x"));
    assertEquals(ValueState.FAILED, engine.state("a/1"));
    engine.update(put("a/3", "old"));
    south.fail("update a/3");
    assertEquals(TransactionOutcome.REVERTED, engine.reverting(put("a/3", "new")).outcome());

    assertEquals(TransactionOutcome.APPLIED, engine.downstream().outcome());

    // what was put back is the former wish again
    assertEquals("{a/1=L, a/1/x=x, a/3=L, a/3/old=old}", south.state().toString());
  }

  @Test
  @DisplayName(
      "Rule 46: the first full resync is matched with what is put, later ones with what is known")
  void correlates() {
    engine.full(put("a/1"), put("a/3"));
    assertEquals(List.of("a/1=L[]", "a/3=L[]"), a.retrieved);

    engine.full(put("a/1"), put("a/4"));
    assertEquals(List.of("a/1=L[] 0", "a/3=L[] 1"), a.retrieved);

    engine.downstream();
    assertEquals(List.of("a/1=L[] 0", "a/4=L[] 2"), a.retrieved);
  }

  @Test
  @DisplayName("Rule 47: what cannot be meant is skipped, and the rest is taken")
  void nonsense() {
    engine.update(put("a/1"), put("a/2"));
    south.put("a/3", 7, Origin.SOUTH);
    a.babble.add(found("b/1"));
    a.babble.add(found("a/1"));
    a.babble.add(null);
    a.babble.add(new Retriever.Found<>(Val.key("a/6"), nothing(), 1, Origin.SOUTH));

    assertEquals(TransactionOutcome.APPLIED, engine.downstream().outcome());

    assertEquals(ValueState.NONEXISTENT, engine.state("b/1"));
    assertEquals(ValueState.NONEXISTENT, engine.state("a/6"));
    assertEquals(Optional.of(0), engine.metadata("a/1"), "the first of two counts");
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(ValueState.OBTAINED, engine.state("a/3"));
  }

  private static Retriever.Found<Val, Integer> found(String path) {
    return new Retriever.Found<>(Val.key(path), Val.list(), 99, Origin.NORTH);
  }

  @SuppressWarnings("NullAway") // a descriptor may answer anything
  private static Val nothing() {
    return null;
  }

  @Test
  @DisplayName("Rule 47: what waits and is found there is configured")
  void pendingFound() {
    engine.update(put("a/2"));
    assertEquals(ValueState.PENDING, engine.state("a/2"));
    south.put("a/1", 5, Origin.SOUTH);
    south.put("a/2", 6, Origin.NORTH);

    assertEquals(TransactionOutcome.APPLIED, engine.downstream().outcome());

    assertEquals(ValueState.CONFIGURED, engine.state("a/2"));
    assertEquals(Optional.of(6), engine.metadata("a/2"));
  }

  @Test
  @DisplayName(
      "Rule 48: what is not found is missing if it was applied, forgotten if the outside's")
  void notFound() {
    engine.update(put("a/1"), put("a/2"));
    engine.says("a/9");
    south.lose("a/1");
    south.lose("a/2");
    a.updates = true;
    south.fail("create a/1");

    var result = engine.downstream();

    assertEquals(List.of("C a/1 MI>FA err", "C a/2 MI>PD noop"), ops(result));
    assertEquals(ValueState.NONEXISTENT, engine.state("a/9"));
    assertEquals(Optional.empty(), engine.metadata("a/1"));
    assertEquals(Map.of(), south.state());
  }

  @Test
  @DisplayName("Rule 49: without a retriever values are taken to be as they were applied")
  void noRetriever() {
    a.retrieves = false;
    engine.update(put("a/1", "x"));
    south.lose("a/1");
    south.takeCalls();

    assertEquals(List.of(), ops(engine.downstream()));
    assertEquals(List.of(), ops(engine.full(put("a/1", "x"))));
    assertEquals(List.of(), south.takeCalls());
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(List.of(), ops(engine.dry(EventMethod.DOWNSTREAM_RESYNC, false)));
  }
}
