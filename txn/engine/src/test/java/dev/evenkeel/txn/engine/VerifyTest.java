package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.failures;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueState;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VerifyTest {
  private final SouthBound outside = new SouthBound();

  /** What the outside does by itself, before it is looked at. */
  private Runnable meanwhile = () -> {};

  private Engine engine(Consumer<MockDescriptor> setup) {
    return new Engine(
        outside,
        o -> {
          MockDescriptor a = new MockDescriptor("a", o);
          a.beforeRetrieve = () -> meanwhile.run();
          setup.accept(a);
          return List.of(a);
        },
        EngineSettings.defaults().verifying());
  }

  private static List<ErrorKind> kinds(TransactionResult result) {
    return result.failures().stream().map(f -> f.kind()).toList();
  }

  @Test
  @DisplayName("TX-62 Verification tells what is not there or different, and changes no value")
  void verifies() {
    Engine engine = engine(a -> a.needs("a/3", "a/9"));
    meanwhile =
        () -> {
          outside.lose("a/2");
          outside.lose("a/4/x");
        };

    TransactionResult result = engine.update(put("a/1"), put("a/2"), put("a/3"), put("a/4", "x"));

    assertEquals(List.of("h verify a/2", "h verify a/4", "h verify a/4/x"), failures(result));
    assertEquals(
        List.of(ErrorKind.NOT_FOUND, ErrorKind.FAILED_PRECONDITION, ErrorKind.NOT_FOUND),
        kinds(result));
    assertEquals(TransactionOutcome.APPLIED_WITH_FAILURES, result.outcome());
    assertEquals(ValueState.CONFIGURED, engine.state("a/2"));
    assertEquals(ValueState.CONFIGURED, engine.state("a/4"));
    assertEquals(ValueState.PENDING, engine.state("a/3"));
  }

  @Test
  @DisplayName("TX-62 What was deleted should not exist")
  void deleted() {
    Engine engine = engine(a -> {});
    engine.update(put("a/1"));
    meanwhile = () -> outside.put("a/1", 7, Origin.SOUTH);

    TransactionResult result = engine.update(delete("a/1"));

    assertEquals(List.of("engine verify a/1"), failures(result));
    assertEquals(List.of(ErrorKind.ALREADY_EXISTS), kinds(result));
    assertEquals(ValueState.NONEXISTENT, engine.state("a/1"));
  }

  @Test
  @DisplayName("JT-7 What is frozen is not verified, nor what was not touched, nor in a dry run")
  void leftAlone() {
    Engine engine = engine(a -> {});
    engine.update(put("a/1"), put("a/2"));
    outside.lose("a/1");
    outside.lose("a/2");
    engine.frozen = path -> path.equals("/a/2");

    assertEquals(List.of(), failures(engine.update(put("a/3"))));
    assertEquals(List.of("h update a/2"), failures(engine.update(put("a/2", "x"))));
    outside.takeCalls();
    engine.dry(EventMethod.UPDATE, false, put("a/1"));
    assertEquals(List.of(), outside.takeCalls());
  }

  @Test
  @DisplayName(
      "TX-62 A retrieve that fails is told, and a transaction that was put back is looked at")
  void others() {
    Engine engine = engine(a -> {});
    outside.fail("retrieve DA");
    assertEquals(List.of("engine retrieve DA"), failures(engine.update(put("a/1"))));
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));

    outside.fail("create a/2");
    TransactionResult reverted = engine.reverting(put("a/2"));
    assertEquals(TransactionOutcome.REVERTED, reverted.outcome());
  }
}
