package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.failures;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.owned;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ResyncTest {
  private MockDescriptor descriptorA = new MockDescriptor("a", new SouthBound());

  private Engine engine(Consumer<MockDescriptor> setup) {
    return new Engine(
        outside -> {
          descriptorA = new MockDescriptor("a", outside);
          setup.accept(descriptorA);
          return List.of(descriptorA);
        });
  }

  @Test
  @DisplayName("TX-10 An empty full resync of an empty outside only asks")
  void empty() {
    Engine engine = engine(a -> {});

    TransactionResult result = engine.full();

    assertEquals(0, result.number());
    assertEquals(TransactionOutcome.APPLIED, result.outcome());
    assertEquals(List.of(), ops(result));
    assertEquals(List.of("retrieve DA"), engine.outside.takeCalls());
    assertEquals(List.of(), descriptorA.retrieved);
  }

  private Engine entangled() {
    return engine(a -> a.needs("a/2", "a/1/i1").needs("a/1/i2", "a/2/i1"));
  }

  @Test
  @DisplayName("TX-11 A first resync; a base value that needs a derived one")
  void baseNeedsDerived() {
    Engine engine = entangled();

    TransactionResult result = engine.full(put("a/2", "i1"), put("a/1", "i1", "i2"));

    assertEquals(
        List.of(
            "C a/1 NE>CF",
            "C a/1/i1 NE>CF der",
            "C a/2 NE>CF",
            "C a/2/i1 NE>CF der",
            "C a/1/i2 NE>CF der"),
        ops(result));
    assertEquals("retrieve DA", engine.outside.calls.get(0));
    assertEquals(List.of("a/1=L[i1, i2]", "a/2=L[i1]"), descriptorA.retrieved);
  }

  @Test
  @DisplayName("TX-12 A resync to nothing removes everything, dependents first")
  void toNothing() {
    Engine engine = entangled();
    engine.full(put("a/2", "i1"), put("a/1", "i1", "i2"));

    TransactionResult result = engine.full();

    assertEquals(
        List.of(
            "D a/1/i2 CF>RM der",
            "D a/2/i1 CF>RM der",
            "D a/2 CF>RM",
            "D a/1/i1 CF>RM der",
            "D a/1 CF>RM"),
        ops(result));
    assertEquals(List.of("a/1=L[i1, i2] 0", "a/2=L[i1] 1"), descriptorA.retrieved);
    assertEquals(Map.of(), engine.outside.state());
    assertEquals(Optional.empty(), engine.metadata("a/1"));
    assertEquals(List.of(), engine.core.values().statuses("/"));
  }

  @Test
  @DisplayName("TX-13 A restart repairs what has drifted, from what is really there")
  void restartWithDrift() {
    Engine engine =
        engine(
            a ->
                a.recreates("a/3")
                    .needs("a/2/i1", "a/1")
                    .needs("a/2/i2", "a/1/i1")
                    .startMetadataAt(3));
    engine.outside.put("a/1", 0, Origin.NORTH, "i1");
    engine.outside.put("a/2", 1, Origin.NORTH, "i1");
    engine.outside.put("a/3", 2, Origin.NORTH, "i1");

    TransactionResult result =
        engine.full(put("a/1", "i2"), put("a/2", "i1", "i2"), put("a/3", "i1", "i2"));

    assertEquals(
        List.of(
            "D a/3/i1 DI>RM der recr",
            "D a/3 DI>RM recr",
            "C a/3 RM>CF recr",
            "C a/3/i1 NE>CF der recr",
            "C a/3/i2 NE>CF der",
            "D a/1/i1 DI>RM der",
            "U a/1 DI>CF",
            "C a/1/i2 NE>CF der",
            "U a/2 DI>CF",
            "C a/2/i2 NE>PD der noop"),
        ops(result));
    var equal = engine.status("a/2").derived().get(0);
    assertEquals(ValueState.CONFIGURED, equal.state());
    assertEquals(ValueOperation.UPDATE, equal.last());
    assertEquals(Optional.of(3), engine.metadata("a/3"));
    assertEquals(Optional.of(1), engine.metadata("a/2"));
  }

  @Test
  @DisplayName("TX-15 Descriptors are retrieved in the order that they ask for")
  void retrieveOrder() {
    Engine engine =
        new Engine(
            outside ->
                List.of(
                    new MockDescriptor("c", outside).after("DB").recreates("c/3"),
                    new MockDescriptor("b", outside)
                        .after("DA")
                        .needs("b/2/i1", "a/1")
                        .needs("b/2/i2", "a/1/i1"),
                    new MockDescriptor("a", outside)));
    engine.outside.put("a/1", 0, Origin.NORTH, "i1");
    engine.outside.put("b/2", 0, Origin.NORTH, "i1");
    engine.outside.put("c/3", 0, Origin.NORTH, "i1");

    TransactionResult result =
        engine.full(put("a/1", "i2"), put("b/2", "i1", "i2"), put("c/3", "i1", "i2"));

    assertEquals(
        List.of("retrieve DA", "retrieve DB", "retrieve DC"),
        engine.outside.takeCalls().subList(0, 3));
    assertEquals(
        List.of(
            "D c/3/i1 DI>RM der recr",
            "D c/3 DI>RM recr",
            "C c/3 RM>CF recr",
            "C c/3/i1 NE>CF der recr",
            "C c/3/i2 NE>CF der",
            "D a/1/i1 DI>RM der",
            "U a/1 DI>CF",
            "C a/1/i2 NE>CF der",
            "U b/2 DI>CF",
            "C b/2/i2 NE>PD der noop"),
        ops(result));
  }

  @Test
  @DisplayName("TX-16 What failed is asked for again, and the base keeps what is really there")
  void failedInResync() {
    Engine engine = engine(a -> {});
    engine.outside.put("a/1", 0, Origin.NORTH);
    engine.outside.fail("create a/1/i2");

    TransactionResult result = engine.full(put("a/1", "i1", "i2"));

    assertEquals(
        List.of("U a/1 DI>CF", "C a/1/i1 NE>CF der", "C a/1/i2 NE>FA der err"), ops(result));
    assertEquals(List.of("h create a/1/i2"), failures(result));
    assertEquals(List.of("a/1=L[i1, i2] 0"), descriptorA.retrieved);
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(Val.list("i1"), engine.core.values().applied(Val.key("a/1")).orElseThrow());

    TransactionResult again = engine.downstream();
    assertEquals(List.of("U a/1 CF>CF", "C a/1/i2 FA>CF der"), ops(again));
    assertEquals(Optional.of(Val.list("i1")), again.operations().get(0).previous());
  }

  @Test
  @DisplayName("TX-44 An upstream resync trusts what was applied")
  void upstream() {
    Engine engine = engine(a -> {});
    engine.full(put("a/1", "i"));
    engine.outside.lose("a/1");
    engine.outside.takeCalls();

    assertEquals(List.of(), ops(engine.upstream(put("a/1", "i"))));
    assertEquals(List.of(), engine.outside.takeCalls());
  }

  private Engine drifted() {
    Engine engine = engine(a -> a.needs("a/3", "a/1"));
    engine.full(put("a/1", "i"), put("a/2", "i"), put("a/3"));
    engine.outside.lose("a/1");
    engine.outside.put("a/2", 1, Origin.NORTH, "i", "extra");
    engine.outside.put("a/4", 8, Origin.UNKNOWN);
    engine.outside.put("a/5", 9, Origin.NORTH);
    engine.outside.takeCalls();
    return engine;
  }

  @Test
  @DisplayName("TX-45 A downstream resync repairs what has drifted, and leaves strangers alone")
  void downstream() {
    Engine engine = drifted();

    TransactionResult result = engine.downstream();

    assertEquals(
        List.of(
            "D a/5 DI>RM",
            "C a/1 MI>CF",
            "C a/1/i MI>CF der",
            "D a/2/extra DI>RM der",
            "U a/2 CF>CF"),
        ops(result));
    assertEquals(Optional.of(Val.list("extra", "i")), result.operations().get(4).previous());
    assertEquals(ValueState.OBTAINED, engine.state("a/4"));
    assertEquals(
        Set.of("a/1", "a/1/i", "a/2", "a/2/i", "a/3", "a/4"), engine.outside.state().keySet());
  }

  @Test
  @DisplayName("TX-46 A full resync without a value removes it; a stranger stays")
  void withoutValue() {
    Engine engine = drifted();
    engine.downstream();

    TransactionResult result = engine.full(put("a/1", "i"), put("a/3"));

    assertEquals(List.of("D a/2/i CF>RM der", "D a/2 CF>RM"), ops(result));
    assertEquals(ValueState.OBTAINED, engine.state("a/4"));
  }

  @Test
  @DisplayName("TX-48 Where the outside cannot be asked at start, nothing is made or removed")
  void retrieveFailsAtStart() {
    Engine engine = engine(a -> a.startMetadataAt(5));
    engine.outside.put("a/1", 0, Origin.NORTH);
    engine.outside.put("a/2", 1, Origin.NORTH);
    engine.outside.fail("retrieve DA");

    TransactionResult result = engine.full(put("a/1"), put("a/3"));

    assertEquals(TransactionOutcome.APPLIED_WITH_FAILURES, result.outcome());
    assertEquals(List.of("engine retrieve DA"), failures(result));
    assertEquals(List.of("C a/1 NE>UN noop", "C a/3 NE>UN noop"), ops(result));
    assertEquals(List.of("retrieve DA"), engine.outside.takeCalls());
    assertEquals(ValueState.UNKNOWN, engine.state("a/1"));
    assertEquals(List.of("C a/4 NE>UN noop"), ops(engine.update(put("a/4"))));

    assertEquals(List.of("D a/2 DI>RM", "C a/3 PD>CF", "C a/4 PD>CF"), ops(engine.downstream()));
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
  }

  @Test
  @DisplayName("Rule 49: a retrieve that fails later is told, and what was applied is believed")
  void retrieveFailsLater() {
    Engine engine = engine(a -> {});
    engine.full(put("a/1"));
    engine.outside.fail("retrieve DA");

    TransactionResult result = engine.full(put("a/1"), put("a/2"));

    assertEquals(List.of("engine retrieve DA"), failures(result));
    assertEquals(List.of("C a/2 NE>CF"), ops(result));
  }

  @Test
  @DisplayName("TX-49 A pending value in a resync is looked at again")
  void pendingInResync() {
    Engine engine = engine(a -> a.needs("a/1", "a/2"));
    engine.update(put("a/1"));

    assertEquals(List.of("C a/1 PD>PD noop"), ops(engine.upstream(put("a/1"))));
  }

  @Test
  @DisplayName(
      "TX-20 A value that is as it should be has its turn after all if a resync disturbs it")
  void disturbed() {
    Engine engine = engine(a -> a.needs("a/2", "a/1").needs("a/5", "a/6"));
    engine.update(put("a/1"), put("a/2"), put("a/3"), put("a/5"), put("a/6"));

    assertEquals(
        List.of(
            "D a/2 CF>PD",
            "D a/1 CF>RM",
            "C a/2 PD>PD noop"), // nothing is told of those that were left alone
        ops(engine.upstream(put("a/6"), put("a/3"), put("a/2"), put("a/5"))));
  }

  @Test
  @DisplayName("A resync with the same key twice takes the last one")
  void twice() {
    Engine engine = engine(a -> {});
    engine.update(put("a/1", "x"), put("a/2", "x"));

    assertEquals(
        List.of("D a/1/x CF>RM der", "U a/1 CF>CF", "C a/1/y NE>CF der"),
        ops(engine.upstream(put("a/1", "x"), put("a/2", "z"), put("a/1", "y"), put("a/2", "x"))));
    assertEquals(
        List.of("D a/2/x CF>RM der", "D a/2 CF>RM"), ops(engine.upstream(put("a/1", "y"))));
  }

  @Test
  @DisplayName("TX-56 What cannot be accepted is rejected: no number, no operation")
  void rejected() {
    Engine engine = engine(a -> {});

    for (EngineTransaction bad :
        List.of(
            engine.txn(EventMethod.DOWNSTREAM_RESYNC, false, put("a/1")),
            engine.txn(EventMethod.FULL_RESYNC, true, put("a/1")),
            engine.txn(EventMethod.FULL_RESYNC, false, delete("a/1")))) {
      TransactionResult result = engine.begin(bad);
      assertEquals(TransactionOutcome.REJECTED, result.outcome());
      assertEquals(-1, result.number());
      assertEquals(1, result.failures().size());
    }
    assertEquals(0, engine.update(put("a/1")).number());
  }

  @Test
  @DisplayName("JT-15 The keys of a handler that failed in a resync keep their last good values")
  void keepOwners() {
    Engine engine = engine(a -> {});
    engine.full(owned("one", "a/1", "x"), owned("two", "a/2"), owned("two", "a/3"));
    engine.outside.lose("a/1");
    engine.keepOwners = Set.of("one");

    TransactionResult result = engine.full(owned("two", "a/2"));

    assertEquals(List.of("D a/3 CF>RM", "C a/1 MI>CF", "C a/1/x MI>CF der"), ops(result));
    assertEquals(Set.of("a/1", "a/1/x", "a/2"), engine.outside.state().keySet());
  }

  @Test
  @DisplayName("JT-15 At start a handler that failed may own any leftover: none is removed")
  void keepLeftovers() {
    Engine engine = engine(a -> {});
    engine.outside.put("a/9", 0, Origin.NORTH);
    engine.keepOwners = Set.of("one");

    assertEquals(List.of("C a/2 NE>CF"), ops(engine.full(owned("two", "a/2"))));
    assertEquals(ValueState.DISCOVERED, engine.state("a/9"));
    engine.keepOwners = Set.of();
    assertEquals(List.of("D a/9 DI>RM"), ops(engine.full(owned("two", "a/2"))));
  }

  @Test
  @DisplayName("JT-7 A frozen key is not compared and not touched, and is repaired when it thaws")
  void frozen() {
    Engine engine = engine(a -> {});
    engine.full(put("a/1", "x"), put("a/2"));
    engine.outside.lose("a/1");
    engine.frozen = path -> path.startsWith("/a/1");
    engine.outside.takeCalls();

    assertEquals(List.of(), ops(engine.full(put("a/2"))));
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(Set.of("/a/1"), engine.core.dirty());
    assertEquals(List.of(), ops(engine.settle()), "still frozen");

    engine.frozen = path -> false;
    TransactionResult settled = engine.settle();
    assertEquals(List.of("C a/1 MI>CF", "C a/1/x MI>CF der"), ops(settled));
    assertEquals(Set.of(), engine.core.dirty());
  }

  @Test
  @DisplayName("JT-6 A dependent that is frozen is handled when it thaws")
  void frozenDependents() {
    Engine engine = engine(a -> a.needs("a/2", "a/1"));
    engine.update(put("a/2"));
    engine.frozen = path -> path.equals("/a/2");

    assertEquals(List.of("C a/1 NE>CF"), ops(engine.update(put("a/1"))));
    assertEquals(Set.of("/a/2"), engine.core.dirty());
    engine.frozen = path -> false;
    assertEquals(List.of("C a/2 PD>CF"), ops(engine.settle()));

    engine.frozen = path -> path.equals("/a/2");
    TransactionResult refused = engine.update(put("a/2", "x"));
    assertEquals(TransactionOutcome.APPLIED_WITH_FAILURES, refused.outcome());
    assertEquals(List.of("h update a/2"), failures(refused));
    assertEquals(List.of("D a/1 CF>RM"), ops(engine.update(delete("a/1"))));
    engine.frozen = path -> false;
    assertEquals(List.of("U a/2 CF>PD"), ops(engine.settle()));
    assertEquals(Map.of(), engine.outside.state());
  }

  @Test
  @DisplayName("TW-3 Readiness is looked at whenever a value is visited")
  void readinessAgain() {
    Engine engine = engine(a -> a.needs("a/3", "a/1"));
    engine.full(put("a/1"), put("a/3"));
    engine.outside.lose("a/1");
    engine.outside.fail("create a/1");

    TransactionResult result = engine.downstream();

    assertEquals(List.of("C a/1 MI>FA err", "D a/3 CF>PD"), ops(result));
  }

  @Test
  @DisplayName("TX-62 What a later look at the outside finds wrong, a downstream resync says")
  void verifyLike() {
    Engine engine = engine(a -> a.needs("a/3", "a/9"));
    engine.update(put("a/1"), put("a/2"), put("a/3"), put("a/4", "x"));
    engine.outside.lose("a/2");
    engine.outside.lose("a/4/x");

    assertEquals(
        List.of("C a/2 MI>CF", "U a/4 CF>CF", "C a/4/x MI>CF der"), ops(engine.downstream()));
  }

  @Test
  @DisplayName("JT-7 What a resync wants of a frozen key is made up for when it thaws")
  void frozenWish() {
    Engine engine = engine(a -> {});
    engine.full(put("a/1", "x"));
    engine.frozen = path -> true;
    engine.full(put("a/1", "y"), put("a/2"));
    engine.frozen = path -> false;

    engine.settle();

    assertEquals(Set.of("a/1", "a/1/y", "a/2"), engine.outside.state().keySet());
  }

  @Test
  @DisplayName("TW-9 What derives stays, and its base with it, while nobody could look at it")
  void unknownDerived() {
    SouthBound outside = new SouthBound();
    outside.put("a/1", 0, Origin.NORTH, "x");
    Function<SouthBound, List<? extends Descriptor<?, ?>>> descriptors =
        o -> {
          MockDescriptor a = new MockDescriptor("a", o);
          a.derivesAs = "b";
          return List.of(a, new MockDescriptor("b", o));
        };
    Engine engine = new Engine(outside, descriptors);
    outside.fail("retrieve DB");

    engine.full();

    assertEquals(ValueState.DISCOVERED, engine.state("a/1"));
    engine.downstream();
    engine.full();
    engine.update(put("a/1", "x"));
    assertEquals(ValueState.CONFIGURED, engine.state("b/a/1/x"));
  }
}
