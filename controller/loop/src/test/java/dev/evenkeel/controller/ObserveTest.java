package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.ObservedValues;
import dev.evenkeel.controller.Rig.Mode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is really there, asked of a loop, on all drivers. */
@DisplayName("Rule 61: the south-bound view of a loop")
@Timeout(60)
final class ObserveTest {
  private static final ObserveValues ALL = ObserveValues.below("", 10);

  private static Rig readable(Mode mode, boolean inline) {
    Rig rig =
        new Rig(
            mode, inline, config -> config.stepLimit(Duration.ofSeconds(2)), builder -> builder);
    rig.outside.readable = true;
    return rig.resync();
  }

  private static List<String> seen(ObservedValues values) {
    return values.values().stream()
        .map(o -> o.pair().key().path() + "=" + o.pair().value())
        .toList();
  }

  private static ObservedValues answer(Outcome<ObservedValues> outcome) {
    if (outcome instanceof Outcome.Applied<ObservedValues> applied) {
      return applied.answer().orElseThrow();
    }
    throw new AssertionError(outcome);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("tells what is there, shows no handler anything, and leaves all as it was")
  void tells(Mode mode) {
    for (boolean inline : List.of(true, false)) {
      try (Rig rig = readable(mode, inline)) {
        rig.a.onUpdate =
            (event, turn) -> {
              turn.txn().put(new K("one"), "1");
              return "";
            };
        rig.does(Ev.of("e"));
        rig.outside.values.put("other", "x");
        rig.outside.values.remove("one");
        rig.trace.clear();
        assertEquals(List.of("/k/other=x"), seen(answer(rig.asks(ALL))));
        assertEquals(List.of("done(observe-values,applied)"), rig.trace);
        assertEquals(
            List.of("1"),
            rig.loop.values().allApplied(K.TYPE).stream().map(v -> v.value()).toList());
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-4 one that hangs is given up at its limit, and told; the loop goes on")
  void hangs(Mode mode) {
    try (Rig rig = readable(mode, false)) {
      rig.outside.values.put("other", "x");
      rig.hold();
      var asked = rig.push(ALL);
      rig.inTime(() -> asked.outcome().toCompletableFuture().isDone());
      ObservedValues values = answer(Rig.await(asked));
      assertEquals(ErrorKind.DEADLINE_EXCEEDED, values.failures().get(0).kind());
      assertEquals(List.of(), values.values());
      assertEquals(
          List.of(ErrorKind.BUSY),
          answer(rig.asks(ALL)).failures().stream().map(f -> f.kind()).toList());
      rig.release();
      rig.until(() -> answer(rig.asks(ALL)).failures().isEmpty());
      assertTrue(seen(answer(rig.asks(ALL))).contains("/k/other=x"));
    }
  }
}
