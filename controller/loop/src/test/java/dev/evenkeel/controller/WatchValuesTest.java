package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.controller.Rig.Mode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Watching a loop's values")
@Timeout(60)
final class WatchValuesTest {
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());

  private void tell(ValueStatus status) {
    told.add(status.key() + " " + status.state());
  }

  private static Rig putting(Mode mode) {
    Rig rig = Rig.started(mode);
    rig.a.onUpdate =
        (event, turn) -> {
          String name = Rec.nameOf(event);
          if (name.startsWith("-")) {
            turn.txn().delete(new K(name.substring(1)));
          } else {
            turn.txn().put(new K(name), "v");
          }
          return "";
        };
    return rig;
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("TX-58 tells of each changed status that was asked for, in order, until it is ended")
  void tells(Mode mode) throws Exception {
    try (Rig rig = putting(mode)) {
      AutoCloseable watch = rig.loop.watchValues(path -> !path.endsWith("/no"), this::tell);
      rig.does(Ev.of("one"));
      // What is not told yet gives way to what is newer.
      rig.until(() -> List.copyOf(told).equals(List.of("/k/one CONFIGURED")));
      rig.does(Ev.of("no"));
      rig.does(Ev.of("-one"));
      List<String> expected = List.of("/k/one CONFIGURED", "/k/one NONEXISTENT");
      rig.until(() -> List.copyOf(told).equals(expected));
      watch.close();
      rig.does(Ev.of("two"));
      rig.does(Ev.of("three"));
      assertEquals(expected, List.copyOf(told));
    }
  }

  @Test
  @DisplayName("TW-21 a slow watcher is told the latest of each key, and holds nothing up")
  void slow() {
    CountDownLatch go = new CountDownLatch(1);
    try (Rig rig = putting(Mode.RING_OF_1024)) {
      var unused =
          rig.loop.watchValues(
              path -> true,
              status -> {
                try {
                  go.await();
                } catch (InterruptedException interrupted) {
                  throw new IllegalStateException(interrupted);
                }
                tell(status);
              });
      var first = rig.loop.pushEvent(Ev.of("one"));
      rig.until(() -> rig.loop.values().applied(new K("one")).isPresent());
      for (int i = 0; i < 50; i++) {
        for (String name : List.of("-one", "one", "two")) {
          var unused2 = rig.loop.pushEvent(Ev.of(name));
        }
      }
      rig.until(
          () -> {
            var last = rig.loop.history().last(1).get(0);
            return rig.loop.status().waiting() == 0
                && last.description().equals("two")
                && last.outcome().isPresent();
          });
      go.countDown();
      Rig.await(first);
      rig.until(() -> told.contains("/k/two " + ValueState.CONFIGURED));
      assertEquals(List.of(), told.stream().filter(t -> t.contains("NONEXISTENT")).toList());
    }
  }
}
