package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.txn.engine.EngineSettings;
import dev.evenkeel.txn.history.HistoryOptions;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The engine of a loop")
@Timeout(60)
class EngineSettingsTest {
  private static Rig with(Mode mode, EngineSettings settings) {
    Rig rig = new Rig(mode, config -> config, builder -> builder.engine(settings));
    rig.outside.readable = true;
    rig.resync();
    rig.a.onUpdate =
        (event, turn) -> {
          turn.txn().put(new K(Rec.nameOf(event)), "v");
          return "";
        };
    return rig;
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("TX-62 may look after each transaction whether the outside has what it should")
  void verifies(Mode mode) {
    try (Rig rig = with(mode, EngineSettings.defaults().verifying())) {
      assertEquals(List.of(), rig.does(Ev.of("there")).failures());
      rig.outside.hidden.add("gone");

      List<Failure> failures = rig.does(Ev.of("gone")).failures();

      assertEquals(List.of("verify"), failures.stream().map(Failure::operation).toList());
      assertEquals("/k/gone", failures.get(0).key().orElseThrow());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("Rule 36: an event names its transaction, whose record is kept if that is wanted")
  void history(Mode mode) {
    EngineSettings keeping = EngineSettings.defaults().with(HistoryOptions.standard());
    try (Rig rig = with(mode, keeping)) {
      assertTrue(rig.does(Ev.of("x")).isSuccess());

      long number = rig.loop.history().last(1).get(0).transaction().orElseThrow().number();
      TransactionRecord record = rig.loop.transactions().orElseThrow().find(number).orElseThrow();

      assertEquals(List.of("/k/x"), record.executed().stream().map(o -> o.key()).toList());
    }
  }
}
