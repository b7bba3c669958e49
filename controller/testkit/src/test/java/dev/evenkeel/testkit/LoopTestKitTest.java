package dev.evenkeel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.api.handler.StateName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayName("The test kit")
@ExtendWith(LoopExtension.class)
class LoopTestKitTest {
  private record Take(int amount) implements Request<Integer> {
    static final EventType<Take> TYPE = EventType.of("take", Take.class);

    @Override
    public EventType<Take> type() {
      return TYPE;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.revertOnFailure();
    }

    @Override
    public Class<Integer> answerType() {
      return Integer.class;
    }
  }

  private record Tick() implements UpdateEvent {
    static final EventType<Tick> TYPE = EventType.of("tick", Tick.class);

    @Override
    public EventType<Tick> type() {
      return TYPE;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.bestEffort();
    }
  }

  private static final StateName<Integer> TAKEN = StateName.of("taken", Integer.class);
  private final List<Instant> ticks = new ArrayList<>();

  private static EventHandler quota() {
    return Handlers.named("quota")
        .on(
            Take.class,
            (event, turn) -> {
              int sum = turn.state(TAKEN).get("all").orElse(0) + event.amount();
              turn.state(TAKEN).put("all", sum);
              turn.answer(event, sum);
              return "";
            })
        .build();
  }

  private static EventHandler limit(int most) {
    return Handlers.named("limit")
        .on(
            Take.class,
            (event, turn) -> {
              if (turn.state(TAKEN).get("all").orElse(0) > most) {
                throw new EvenkeelException(ErrorKind.RESOURCE_EXHAUSTED, "no more than " + most);
              }
              return "";
            })
        .build();
  }

  @Test
  @DisplayName("tells what became of an event, and what its handlers did")
  void outcomes(LoopTestKit kit) {
    kit.handlers(quota(), limit(5)).given();
    kit.when(new Take(3)).applied().answers(3).trace("quota.U", "limit.U");
    kit.when(new Take(3))
        .reverted()
        .failsWith(ErrorKind.RESOURCE_EXHAUSTED)
        .trace("quota.U", "limit.U", "quota.V");
    kit.when(new Take(2)).applied().answers(5);
  }

  @Test
  @DisplayName("keeps events behind the gate until something is given")
  void gate(LoopTestKit kit) {
    kit.handlers(quota());
    Then<Integer> early = kit.when(new Take(1)).waits();
    kit.given();
    early.applied().answers(1);
  }

  @Test
  @DisplayName("turns the clock from timer to timer")
  void clock(LoopTestKit kit) {
    EventHandler ticking =
        Handlers.named("ticking")
            .on(
                Tick.class,
                (event, turn) -> {
                  ticks.add(turn.now());
                  turn.schedule(Duration.ofMinutes(1), new Tick());
                  return "";
                })
            .build();
    kit.handlers(ticking).given();
    kit.when(new Tick()).applied();
    kit.advance(Duration.ofMinutes(3));
    assertEquals(4, ticks.size());
    assertEquals(Duration.ofMinutes(3), Duration.between(ticks.get(0), ticks.get(3)));
  }

  @Test
  @DisplayName("fails with all that it knows when something else was expected")
  void failures(LoopTestKit kit) {
    kit.handlers(quota(), limit(5)).given();
    Then<Integer> applied = kit.when(new Take(1));
    for (Runnable wrong :
        List.<Runnable>of(
            applied::reverted,
            applied::refused,
            applied::waits,
            applied::appliedWithErrors,
            () -> applied.answers(7),
            () -> applied.trace("limit.U"),
            () -> applied.steps("a DONE"),
            () -> applied.operations("CREATE /a"),
            () -> applied.failsWith(ErrorKind.BUSY))) {
      String text = assertThrows(AssertionError.class, wrong::run).toString();
      assertTrue(text.contains("EventRecord["), text);
    }
    assertThrows(AssertionError.class, () -> kit.when(new Take(9)).applied());
    assertThrows(IllegalStateException.class, () -> kit.handlers(quota()));
  }
}
