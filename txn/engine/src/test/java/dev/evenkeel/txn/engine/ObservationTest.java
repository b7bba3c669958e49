package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.ObservedValues;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.ValueState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is really there, as dumps show it (rule 61). */
@DisplayName("Rule 61: the south-bound view")
class ObservationTest {
  private final MockDescriptor[] made = new MockDescriptor[3];
  private final Engine engine =
      new Engine(
          outside -> {
            made[0] = new MockDescriptor("a", outside);
            made[1] = new MockDescriptor("b", outside).after("DA");
            made[2] = new MockDescriptor("c", outside);
            made[2].retrieves = false;
            return List.of(made);
          });

  private ObservedValues below(String prefix) {
    return engine.observe(ObserveValues.below(prefix, 100));
  }

  private static List<String> seen(ObservedValues values) {
    return values.values().stream()
        .map(o -> o.descriptor() + " " + o.pair().key().path() + " " + o.pair().value())
        .toList();
  }

  private static List<String> failed(ObservedValues values) {
    return values.failures().stream().map(f -> f.operation() + " " + f.kind()).toList();
  }

  @Test
  @DisplayName("tells what is there, whoever made it, with what is applied as correlate")
  void all() {
    engine.update(put("b/1", "i"), put("a/1"), put("c/1"));
    engine.outside.put("a/7", 7, Origin.SOUTH);
    engine.outside.lose("a/1");
    engine.outside.takeCalls();

    ObservedValues values = below("");

    assertEquals(List.of("DA /a/7 L[]", "DB /b/1 L[i]"), seen(values));
    assertEquals(2, values.found());
    assertEquals(7, values.values().get(0).metadata());
    assertEquals(Origin.SOUTH, values.values().get(0).origin());
    assertEquals(List.of("retrieve DC UNIMPLEMENTED"), failed(values));
    assertEquals(List.of("retrieve DA", "retrieve DB"), engine.outside.takeCalls());
    assertEquals(List.of("a/1=L[] 0"), made[0].retrieved, "what is applied is told");
  }

  @Test
  @DisplayName("compares and changes nothing")
  void nothingChanges() {
    engine.update(put("a/1"), put("b/1"));
    engine.outside.lose("a/1");
    engine.outside.put("a/2", 2, Origin.NORTH);
    long before = engine.core.statistics().total();

    below("");

    assertEquals(ValueState.CONFIGURED, engine.state("a/1"), "that it has gone is not noticed");
    assertEquals(List.of(), engine.core.values().statuses("/a/2"));
    assertEquals(before, engine.core.statistics().total());
    assertEquals(List.of("D a/2 DI>RM", "C a/1 MI>CF"), ops(engine.full(put("a/1"), put("b/1"))));
  }

  @Test
  @DisplayName("by prefix or descriptor, and never more than was asked for")
  void some() {
    engine.update(put("a/1"), put("a/11"), put("a/2"), put("b/1"));
    engine.outside.takeCalls();
    assertEquals(List.of("DA /a/1 L[]", "DA /a/11 L[]"), seen(below("/a/1")));
    assertEquals(List.of("retrieve DA"), engine.outside.takeCalls());
    ObservedValues limited = engine.observe(new ObserveValues(Optional.of("DA"), "", 2));
    assertEquals(List.of("DA /a/1 L[]", "DA /a/11 L[]"), seen(limited));
    assertEquals(3, limited.found());
    assertEquals(
        List.of("retrieve DX NOT_FOUND"),
        failed(engine.observe(new ObserveValues(Optional.of("DX"), "", 2))));
    assertEquals(List.of(), below("/nothing/").values());
  }

  @Test
  @DisplayName("a retrieve that fails is told, blinds nobody, and the others are asked")
  void fails() {
    engine.update(put("a/1"));
    engine.outside.fail("retrieve DA");

    ObservedValues values = below("");

    assertEquals(List.of("retrieve DA INTERNAL", "retrieve DC UNIMPLEMENTED"), failed(values));
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(List.of("C a/2 NE>CF"), ops(engine.update(put("a/2"))), "it is not blind");
  }

  @Test
  @DisplayName("JT-4 a retrieve that hangs ends it; until it returns its keys are left alone")
  void hangs() {
    engine.update(put("a/1"));
    engine.hanging.add("retrieve DA");

    ObservedValues values = below("");

    assertEquals(
        Set.of("retrieve DA DEADLINE_EXCEEDED", "retrieve DB CANCELLED", "retrieve DC CANCELLED"),
        Set.copyOf(failed(values)));
    assertEquals(List.of("retrieve DA BUSY"), failed(below("/a/")));
    assertEquals(TransactionOutcome.APPLIED, engine.returns().outcome());
    assertEquals(List.of("DA /a/1 L[]"), seen(below("/a/")));
  }
}
