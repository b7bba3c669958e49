package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.failures;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.txn.TxnEntry;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ApplyTest {
  private final Engine engine =
      new Engine(
          outside ->
              List.of(
                  new MockDescriptor("a", outside),
                  new MockDescriptor("b", outside).needs("b/2/i1", "a/1").needs("b/2/i2", "a/1/i1"),
                  new MockDescriptor("c", outside).recreates("c/3")));

  private TransactionResult first() {
    return engine.update(put("b/2", "i1", "i2"), put("a/1", "i2"), put("c/3", "i1", "i2"));
  }

  @Test
  @DisplayName("TX-01 A transaction applies in key order, depth first; a derived value is pending")
  void basic() {
    TransactionResult result = first();

    assertEquals(0, result.number());
    assertEquals(TransactionOutcome.APPLIED, result.outcome());
    assertEquals(
        List.of(
            "C a/1 NE>CF",
            "C a/1/i2 NE>CF der",
            "C b/2 NE>CF",
            "C b/2/i1 NE>CF der",
            "C b/2/i2 NE>PD der noop",
            "C c/3 NE>CF",
            "C c/3/i1 NE>CF der",
            "C c/3/i2 NE>CF der"),
        ops(result));
    assertEquals(
        List.of(
            "create a/1",
            "create a/1/i2",
            "create b/2",
            "create b/2/i1",
            "create c/3",
            "create c/3/i1",
            "create c/3/i2"),
        engine.outside.takeCalls());
    var derived = engine.status("b/2").derived().get(1);
    assertEquals(ValueState.PENDING, derived.state());
    assertEquals(ValueOperation.CREATE, derived.last());
    assertEquals(List.of("a/1/i1"), derived.details());
    for (String path : List.of("a/1", "b/2", "c/3")) {
      assertEquals(Optional.of(0), engine.metadata(path));
    }
    assertEquals(
        List.of("/a/1", "/b/2", "/c/3"),
        engine.core.values().statuses("/").stream().map(s -> s.key()).toList());
    assertEquals(Optional.of(Val.list("i1", "i2")), engine.core.values().desired(Val.key("b/2")));
    assertEquals(Optional.of(Val.list("i1", "i2")), engine.core.values().applied(Val.key("b/2")));
  }

  @Test
  @DisplayName("TX-02 An update, a re-creation, and a dependency that becomes met")
  void updateAndRecreate() {
    first();

    TransactionResult result = engine.update(put("c/3", "i1"), put("a/1", "i1"));

    assertEquals(
        List.of(
            "D c/3/i1 CF>RM der recr",
            "D c/3/i2 CF>RM der recr",
            "D c/3 CF>RM recr",
            "C c/3 RM>CF recr",
            "C c/3/i1 NE>CF der recr",
            "D a/1/i2 CF>RM der",
            "U a/1 CF>CF",
            "C a/1/i1 NE>CF der",
            "C b/2/i2 PD>CF der"),
        ops(result));
    assertEquals(Optional.of(1), engine.metadata("c/3"));
    assertEquals(Optional.of(0), engine.metadata("a/1"));
    assertEquals(ValueOperation.UPDATE, engine.status("c/3").last());
    assertEquals(ValueState.CONFIGURED, engine.state("c/3"));
  }

  @Test
  @DisplayName("TX-20 Deletes, re-creations, creates, updates, whatever the order of the calls")
  void groups() {
    List<String> expected =
        List.of(
            "D a/yd CF>RM",
            "D a/zd CF>RM",
            "D a/ar CF>RM recr",
            "C a/ar RM>CF recr",
            "C a/ar/1 NE>CF der",
            "D a/br CF>RM recr",
            "C a/br RM>CF recr",
            "C a/br/1 NE>CF der",
            "C a/c0 NE>CF",
            "C a/c1 NE>CF",
            "U a/u0 CF>CF",
            "C a/u0/1 NE>CF der",
            "U a/u1 CF>CF",
            "C a/u1/1 NE>CF der");
    List<TxnEntry> entries =
        Arrays.asList(
            delete("a/yd"),
            put("a/ar", "1"),
            put("a/c1"),
            put("a/u1", "1"),
            delete("a/zd"),
            put("a/u0", "1"),
            put("a/br", "1"),
            put("a/c0"));
    for (boolean backwards : new boolean[] {false, true}) {
      Engine one =
          new Engine(
              outside ->
                  List.of(new MockDescriptor("a", outside).recreates("a/ar").recreates("a/br")));
      one.update(put("a/yd"), put("a/zd"), put("a/ar"), put("a/br"), put("a/u0"), put("a/u1"));
      if (backwards) {
        Collections.reverse(entries);
      }

      assertEquals(expected, ops(one.update(entries.toArray(TxnEntry[]::new))));
    }
  }

  @Test
  @DisplayName("TX-23 Deleting what is absent, the same value again, an empty transaction: nothing")
  void nothingToDo() {
    assertEquals(List.of(), ops(engine.update(delete("a/9"))));
    engine.update(put("a/1", "x"));
    engine.outside.takeCalls();

    TransactionResult again = engine.update(put("a/1", "x"));

    assertEquals(List.of(), ops(again));
    assertEquals(List.of(), engine.outside.takeCalls());
    assertEquals(ValueOperation.UPDATE, engine.status("a/1").last());
    TransactionResult empty = engine.update();
    assertEquals(3, empty.number());
    assertEquals(TransactionOutcome.APPLIED, empty.outcome());
    assertEquals(List.of(), ops(empty));
  }

  @Test
  @DisplayName("TX-51 A value that nobody describes waits, which is no error, and can go again")
  void unimplemented() {
    TransactionResult result = engine.update(put("x/1"));

    assertEquals(TransactionOutcome.APPLIED, result.outcome());
    assertEquals(List.of("C x/1 NE>UI noop"), ops(result));
    assertEquals(ValueState.UNIMPLEMENTED, engine.state("x/1"));
    assertEquals(List.of("D x/1 UI>RM noop"), ops(engine.update(delete("x/1"))));
    assertEquals(ValueState.NONEXISTENT, engine.state("x/1"));
  }

  @Test
  @DisplayName("TX-65 A callback that throws anything is a failed operation; the engine lives")
  void throwing() {
    engine.outside.fail("create a/1", new ArithmeticException("boom"), () -> {});

    TransactionResult result = engine.update(put("a/1"));

    assertEquals(List.of("C a/1 NE>FA err"), ops(result));
    assertEquals(List.of("h create a/1"), failures(result));
    assertEquals("ArithmeticException: boom", result.failures().get(0).message());
    assertEquals(List.of("C a/1 FA>CF"), ops(engine.update(put("a/1"))));
  }

  @Test
  @DisplayName("TX-65 A pure function that throws is a failed value, without any call")
  void throwingPure() {
    Engine one =
        new Engine(
            outside ->
                List.of(
                    new MockDescriptor("a", outside)
                        .needs(
                            "a/1",
                            value -> {
                              throw new IllegalStateException("pure");
                            })));

    TransactionResult result = one.update(put("a/1"), put("a/2"));

    assertEquals(List.of("C a/1 NE>FA noop err", "C a/2 NE>CF"), ops(result));
    assertEquals(List.of("create a/2"), one.outside.takeCalls().subList(0, 1));
  }

  @Test
  @DisplayName("TX-67 Metadata: by key and by index, replaced, removed with the value")
  void metadata() {
    engine.update(put("a/1"), put("a/2", "x"), put("a/3"));

    assertEquals(Optional.of(1), engine.metadata("a/2"));
    assertEquals(List.of("/a/1", "/a/3"), engine.core.values().findByIndex("DA", "parity", "even"));
    assertEquals(List.of("/a/2"), engine.core.values().findByIndex("DA", "parity", "odd"));
    assertEquals(Optional.empty(), engine.metadata("a/2/x"));
    engine.update(delete("a/3"));
    assertEquals(Optional.empty(), engine.metadata("a/3"));
    assertEquals(List.of("/a/1"), engine.core.values().findByIndex("DA", "parity", "even"));
    engine.outside.lose("a/1");
    engine.downstream();
    assertEquals(Optional.of(3), engine.metadata("a/1"));
    assertEquals(List.of(), engine.core.values().findByIndex("DA", "parity", "even"));
  }
}
