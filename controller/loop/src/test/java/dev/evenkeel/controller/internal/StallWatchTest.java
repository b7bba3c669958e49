package dev.evenkeel.controller.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The stall watch")
final class StallWatchTest {
  @Test
  @DisplayName("reports a turn that goes on from one look to the next, once, with the stack")
  void reports() {
    List<String> reports = new ArrayList<>();
    StallWatch watch =
        new StallWatch("watch", Duration.ofDays(1), Thread.currentThread(), reports::add);
    watch.look();
    watch.look();
    watch.turn();
    watch.look();
    assertEquals(List.of(), reports);
    watch.turn();
    watch.turn();
    watch.look();
    assertEquals(List.of(), reports, "another turn by now");
    watch.look();
    watch.look();
    assertEquals(1, reports.size());
    assertTrue(reports.get(0).contains("StallWatchTest.reports"), reports.get(0));
    watch.turn();
    watch.look();
    watch.look();
    assertEquals(1, reports.size());
  }
}
