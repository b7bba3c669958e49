package dev.evenkeel.txn.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.volume.OperationExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Back-off")
class BackOffTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Failure BROKEN =
      Failure.of("volumes", "apply mount", ErrorKind.INTERNAL, "broken");
  private static final BackOff.Spot V = new BackOff.Spot("volume/v", "");

  private final BackOff backOff = new BackOff(OperationOptions.usual());

  private boolean refuses(BackOff.Spot spot, String kind, Instant now) {
    return backOff.check(spot, kind, now).isPresent();
  }

  @Test
  @DisplayName("OP-14 half a second, doubling to 122 s; its end is refused, 1 ms later is not")
  void delays() {
    Instant now = START;
    for (long millis :
        List.of(500L, 1000L, 2000L, 4000L, 8000L, 16000L, 32000L, 64000L, 122000L, 122000L)) {
      assertFalse(refuses(V, "mount", now));
      backOff.admitted(V, "mount");
      backOff.failed(V, "mount", now, BROKEN);
      now = now.plusMillis(millis);
      assertTrue(refuses(V, "mount", now), "at the end of " + millis);
      now = now.plusMillis(1);
      assertFalse(refuses(V, "mount", now), "after the end of " + millis);
    }
  }

  @Test
  @DisplayName("OP 2.6 the refusal tells when it failed, until when, the delay and the error")
  void text() {
    backOff.failed(V, "mount", START, BROKEN);
    Failure refusal = backOff.check(V, "mount", START).orElseThrow();
    assertEquals(ErrorKind.BUSY, refusal.kind());
    assertEquals(
        "mount of volume/v failed at 2026-01-01T00:00:00Z and may be repeated after"
            + " 2026-01-01T00:00:00.500Z (delay PT0.5S); it failed with: broken",
        refusal.message());
  }

  @Test
  @DisplayName("what is remembered is listed, oldest first, with its end and its reason")
  void entries() {
    assertEquals(List.of(), backOff.entries());
    backOff.failed(new BackOff.Spot("volume/w", "node-1"), "stage", START.plusSeconds(1), BROKEN);
    backOff.failed(V, "mount", START, BROKEN);

    assertEquals(
        List.of(
            new OperationExecutor.Failed(
                "mount", "volume/v", "", START, START.plusMillis(500), BROKEN),
            new OperationExecutor.Failed(
                "stage",
                "volume/w",
                "node-1",
                START.plusSeconds(1),
                START.plusMillis(1_500),
                BROKEN)),
        backOff.entries());
  }

  @Test
  @DisplayName("OP-15 another kind is let in at once, and resets the delay")
  void otherKind() {
    backOff.failed(V, "mount", START, BROKEN);
    backOff.failed(V, "mount", START.plusSeconds(1), BROKEN);
    assertFalse(refuses(V, "unmount", START.plusSeconds(1)));
    backOff.admitted(V, "unmount");
    assertFalse(refuses(V, "mount", START.plusSeconds(1)));
    backOff.failed(V, "mount", START.plusSeconds(2), BROKEN);
    assertTrue(refuses(V, "mount", START.plusSeconds(2).plusMillis(500)));
    assertFalse(refuses(V, "mount", START.plusSeconds(2).plusMillis(501)));
  }

  @Test
  @DisplayName("OP-16 success clears the history")
  void success() {
    backOff.failed(V, "mount", START, BROKEN);
    backOff.failed(V, "mount", START.plusSeconds(1), BROKEN);
    backOff.succeeded(V);
    assertEquals(0, backOff.size());
    backOff.failed(V, "mount", START.plusSeconds(2), BROKEN);
    assertFalse(refuses(V, "mount", START.plusSeconds(2).plusMillis(501)));
  }

  @Test
  @DisplayName("OP-17 ten thousand that never come back are forgotten")
  void expiry() {
    for (int i = 0; i < 10_000; i++) {
      backOff.failed(new BackOff.Spot("volume/" + i, ""), "mount", START, BROKEN);
    }
    assertEquals(10_000, backOff.size());
    backOff.expire(START.plusSeconds(244));
    assertEquals(10_000, backOff.size());
    backOff.expire(START.plusSeconds(245));
    assertEquals(0, backOff.size());
    assertFalse(refuses(new BackOff.Spot("volume/1", ""), "mount", START));
  }

  @Test
  @DisplayName("OP 2.5 is bounded: the oldest failure is forgotten first")
  void bounded() {
    BackOff small =
        new BackOff(
            new OperationOptions(true, Duration.ofSeconds(1), Duration.ofSeconds(2), 2, 10));
    for (String name : List.of("a", "b", "c")) {
      small.failed(new BackOff.Spot(name, ""), "mount", START, BROKEN);
    }
    assertEquals(2, small.size());
    assertTrue(small.check(new BackOff.Spot("a", ""), "mount", START).isEmpty());
    assertTrue(small.check(new BackOff.Spot("c", ""), "mount", START).isPresent());
  }

  @Test
  @DisplayName("OP 2.5 a whole volume matches each target; an exact match wins")
  void spots() {
    BackOff.Spot podA = new BackOff.Spot("volume/v", "podA");
    BackOff.Spot podB = new BackOff.Spot("volume/v", "podB");
    backOff.failed(podA, "mount", START, BROKEN);
    assertTrue(refuses(podA, "mount", START));
    assertFalse(refuses(podB, "mount", START));
    assertTrue(refuses(V, "mount", START));
    backOff.failed(podB, "unmount", START.plusSeconds(60), BROKEN);
    assertFalse(refuses(podA, "mount", START.plusSeconds(1)));
    assertTrue(refuses(podB, "unmount", START.plusSeconds(60)));
  }

  @Test
  @DisplayName("OP-12 an empty subject is never refused")
  void emptySubject() {
    BackOff.Spot nothing = new BackOff.Spot("", "");
    backOff.failed(nothing, "mount", START, BROKEN);
    assertFalse(refuses(nothing, "mount", START));
    assertEquals(0, backOff.size());
  }

  @Test
  @DisplayName("JT-12 is off when it is told so")
  void off() {
    BackOff none = new BackOff(OperationOptions.usual().withoutBackOff());
    none.failed(V, "mount", START, BROKEN);
    assertTrue(none.check(V, "mount", START).isEmpty());
  }
}
