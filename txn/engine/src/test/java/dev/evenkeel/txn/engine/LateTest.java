package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.failures;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueState;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Descriptors that come late")
class LateTest {
  private final Engine engine = new Engine(outside -> List.of(new MockDescriptor("a", outside)));

  private MockDescriptor late(String letter) {
    return new MockDescriptor(letter, engine.outside);
  }

  private TransactionResult register(MockDescriptor descriptor) {
    return engine.run(c -> c.beginRegister(descriptor, engine.frozen, engine.now));
  }

  @Test
  @DisplayName("TX-51 Values that nobody implemented are applied when their descriptor comes")
  void applied() {
    engine.update(put("b/2", "i"), put("b/1"), put("a/1"));
    engine.outside.takeCalls();

    TransactionResult result = register(late("b").needs("b/1", "a/1").needs("b/2", "a/2"));

    assertEquals(List.of("C b/1 UI>CF", "C b/2 UI>PD noop"), ops(result));
    assertEquals(List.of("create b/1"), engine.outside.takeCalls());
    assertEquals(List.of("/a/", "/b/"), engine.core.prefixes());
    assertEquals(
        List.of("C a/2 NE>CF", "C b/2 PD>CF", "C b/2/i NE>CF der"), ops(engine.update(put("a/2"))));
    assertEquals(List.of("D b/1 CF>RM"), ops(engine.update(delete("b/1"))));
  }

  @Test
  @DisplayName("TX-51 What is there already is retrieved before anything is created")
  void retrieved() {
    engine.outside.put("b/1", 7, Origin.NORTH, "i");
    engine.outside.put("b/9", 8, Origin.NORTH);
    engine.full(put("b/1", "i", "j"));
    engine.outside.takeCalls();

    TransactionResult result = register(late("b"));

    assertEquals(List.of("U b/1 CF>CF", "C b/1/j NE>CF der"), ops(result));
    assertEquals(List.of("retrieve DB", "update b/1", "create b/1/j"), engine.outside.takeCalls());
    assertEquals(ValueState.DISCOVERED, engine.state("b/9"));
    assertEquals(List.of("D b/9 DI>RM"), ops(engine.full(put("b/1", "i", "j"))));
  }

  @Test
  @DisplayName("TW-9 While a late descriptor cannot retrieve, nothing is created for it")
  void blind() {
    engine.outside.put("b/1", 7, Origin.NORTH);
    engine.full(put("b/1"));
    engine.outside.fail("retrieve DB");

    TransactionResult result = register(late("b"));

    assertEquals(List.of("engine retrieve DB"), failures(result));
    assertEquals(ValueState.UNKNOWN, engine.state("b/1"));
    assertEquals(
        List.of(), ops(engine.full(put("b/1"))).stream().filter(o -> o.startsWith("C")).toList());
    assertEquals(ValueState.CONFIGURED, engine.state("b/1"));
  }

  @Test
  @DisplayName("A property becomes a value when its descriptor comes, and may fail then")
  void property() {
    MockDescriptor a = late("c");
    a.derivesAs = "p";
    a.retrieves = false;
    Engine other =
        new Engine(outside -> List.of(a, new MockDescriptor("b", outside).needs("b/1", "p/c/1/i")));
    other.update(put("c/1", "i", "j"), put("b/1"));
    assertEquals(ValueState.CONFIGURED, other.state("b/1"));
    a.outside.fail("create p/c/1/i");

    TransactionResult result =
        other.run(
            c -> c.beginRegister(new MockDescriptor("p", a.outside), other.frozen, other.now));

    assertEquals(
        List.of("C p/c/1/i PD>FA der err", "D b/1 CF>PD", "C p/c/1/j PD>CF der"), ops(result));
    assertEquals(
        List.of("C p/c/1/i FA>CF der", "C b/1 PD>CF"), ops(other.update(put("c/1", "i", "j"))));
  }

  @Test
  @DisplayName(
      "TX-56 A late descriptor with another's name or keys is refused, and nothing happens")
  void refused() {
    engine.update(put("b/1"));

    assertRefused(late("a"));
    assertRefused(late("a/x"));
    assertRefused(late("b").after("DX"));

    assertEquals(List.of("/a/"), engine.core.prefixes());
    assertEquals(ValueState.UNIMPLEMENTED, engine.state("b/1"));
    assertEquals(List.of("C b/1 UI>CF"), ops(register(late("b"))));
  }

  private void assertRefused(MockDescriptor descriptor) {
    assertThrows(
        InvalidInputException.class,
        () -> engine.core.beginRegister(descriptor, engine.frozen, engine.now));
  }

  @Test
  @DisplayName("JT-7 A value under a running operation's lock is applied when the lock has gone")
  void frozen() {
    engine.update(put("b/1"), put("b/2"));
    engine.frozen = path -> path.equals("/b/1");

    assertEquals(List.of("C b/2 UI>CF"), ops(register(late("b"))));

    engine.frozen = path -> false;
    engine.settle();
    assertEquals(ValueState.CONFIGURED, engine.state("b/1"));
  }
}
