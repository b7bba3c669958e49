package dev.evenkeel.controller.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.loop.Stall;
import dev.evenkeel.controller.manual.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The stall watch")
final class StallWatchTest {
  private static final Duration STEP = Duration.ofSeconds(1);

  private final ManualClock clock = new ManualClock();
  private final List<String> seen = new ArrayList<>();
  private int wakes;
  private boolean comesRound = true;
  private final StallWatch watch = watch(Duration.ofSeconds(4), Duration.ofSeconds(8));

  private StallWatch watch(Duration warning, Duration limit) {
    return new StallWatch(
        "watch",
        clock,
        warning,
        limit,
        new StallWatch.Reports() {
          @Override
          public void wake() {
            wakes++;
            if (comesRound) {
              watch.begin(clock.now());
              watch.idle();
            }
          }

          @Override
          public Stall stalled(Stall.Level level, Instant since, Instant fired) {
            seen.add(level + " after " + Duration.between(since, fired).toSeconds());
            return stall(level, since, fired);
          }

          @Override
          public void over(Stall last, Duration lasted) {
            seen.add("over after " + lasted.toSeconds());
          }
        });
  }

  private static Stall stall(Stall.Level level, Instant since, Instant fired) {
    return new Stall(
        "test",
        level,
        since,
        fired,
        fired,
        "it",
        Optional.empty(),
        Optional.empty(),
        0,
        List.of(),
        List.of());
  }

  private void looks(int times) {
    looks(watch, times);
  }

  private void looks(StallWatch which, int times) {
    for (int i = 0; i < times; i++) {
      clock.advance(STEP);
      which.look();
    }
  }

  @Test
  @DisplayName("tells each threshold once, by the stopwatch of the watched thread, and the end")
  void thresholds() {
    watch.look();
    clock.advance(Duration.ofMillis(500));
    watch.begin(clock.now());
    looks(3);
    assertEquals(List.of(), seen);
    assertEquals(Optional.empty(), watch.stall());
    looks(4);
    assertEquals(List.of("WARNING after 4"), seen);
    assertEquals(Optional.empty(), watch.stall(), "a warning changes nothing");
    looks(5);
    assertEquals(List.of("WARNING after 4", "LIMIT after 8"), seen);
    assertTrue(watch.stall().isPresent());
    watch.begin(clock.now());
    assertEquals(Optional.empty(), watch.stall(), "over with the turn, before any look");
    looks(1);
    assertEquals(List.of("WARNING after 4", "LIMIT after 8", "over after 13"), seen);
    assertEquals(Duration.ofSeconds(1), watch.held(clock.now()));
  }

  @Test
  @DisplayName("sees nothing in a thread that comes round, however long it works or sleeps")
  void nothing() {
    for (int i = 0; i < 50; i++) {
      watch.begin(clock.now());
      looks(2);
    }
    watch.idle();
    looks(50);
    assertEquals(List.of(), seen);
    assertEquals(Duration.ZERO, watch.held(clock.now()), "who has nothing to do is not held");
    assertTrue(wakes >= 25);
  }

  @Test
  @DisplayName("sees a thread that sleeps and does not come round when it is woken")
  void between() {
    watch.begin(clock.now());
    watch.idle();
    comesRound = false;
    looks(20);
    assertEquals(List.of("WARNING after 4", "LIMIT after 8"), seen);
    assertTrue(watch.stall().isPresent());
  }

  @Test
  @DisplayName("does not take a pause of the whole process for a stall")
  void pause() {
    watch.begin(clock.now());
    looks(1);
    clock.advance(Duration.ofHours(1));
    watch.look();
    assertEquals(List.of(), seen);
    looks(4);
    assertEquals(List.of("WARNING after 4"), seen, "measured from the end of the pause");
    watch.begin(clock.now());
    clock.advance(Duration.ofHours(1));
    watch.look();
    assertEquals(2, seen.size());
  }

  @Test
  @DisplayName("is off without a threshold, and has only the one that is set")
  void off() {
    StallWatch none = watch(Duration.ZERO, Duration.ZERO);
    none.start();
    none.begin(clock.now());
    looks(none, 100);
    assertEquals(List.of(), seen);
    none.stop();
    StallWatch only = watch(Duration.ZERO, Duration.ofSeconds(8));
    only.begin(clock.now());
    looks(only, 100);
    assertEquals(List.of("LIMIT after 8"), seen);
  }
}
