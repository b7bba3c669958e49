package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.core.LoopConfig.Verification;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The loop checks itself. */
@DisplayName("EL-41 verification")
@Timeout(60)
final class VerificationTest {
  private static Rig verifying(Mode mode, Verification how) {
    return new Rig(mode, config -> config.verification(how), builder -> builder).resync();
  }

  /** What the handlers want, in updates as in resyncs. */
  private static void wants(Rig rig, String value) {
    rig.a.onUpdate =
        (event, turn) -> {
          turn.txn().put(new K("k"), value);
          return "";
        };
    rig.a.onResync = (event, turn) -> turn.txn().put(new K("k"), value);
  }

  private static EventRecord last(Rig rig) {
    return rig.loop.history().last(1).get(0);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-41 follows an event that ended well, and no verification follows it")
  void follows(Mode mode) {
    try (Rig rig = verifying(mode, Verification.UPSTREAM)) {
      wants(rig, "1");
      rig.does(Ev.of("e"));
      rig.traced(
          "a.U(e)",
          "b.U(e)",
          "c.U(e)",
          "done(e,applied)",
          "a.R(3)",
          "b.R(3)",
          "c.R(3)",
          "done(verification-resync,applied)");
      EventRecord record = last(rig);
      assertEquals(EventMethod.UPSTREAM_RESYNC, record.method());
      assertEquals(Optional.of(record.sequence() - 1), record.parent());
      assertTrue(record.transaction().isPresent());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-41 does not follow what failed, was reverted or needs healing; off means never")
  void doesNotFollow(Mode mode) {
    try (Rig rig = verifying(mode, Verification.UPSTREAM)) {
      rig.b.onUpdate =
          (event, turn) -> {
            throw new IllegalStateException("no");
          };
      rig.does(Ev.of("e"));
      rig.does(Ev.reverting("f"));
      assertFalse(rig.trace.contains("done(verification-resync,applied)"), rig.trace.toString());
      rig.advance(Duration.ofSeconds(5));
      assertTrue(rig.trace.contains("done(healing-resync,applied)"));
      assertTrue(rig.trace.contains("done(verification-resync,applied)"));
    }
    try (Rig rig = Rig.started(mode)) {
      rig.does(Ev.of("e"));
      assertFalse(rig.trace.toString().contains("verification"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-41 a description that differs is an error on the record; the loop goes on")
  void descriptions(Mode mode) {
    try (Rig rig = verifying(mode, Verification.UPSTREAM)) {
      AtomicInteger state = new AtomicInteger();
      rig.a.says = () -> Optional.of("always this");
      rig.b.says = () -> Optional.of("x".repeat(1000) + state.get());
      rig.b.onResync = (event, turn) -> state.incrementAndGet();
      rig.c.says =
          () -> {
            throw new AssertionError("speechless");
          };
      rig.does(Ev.of("e"));
      EventRecord record = last(rig);
      assertEquals("applied with errors", record.outcome().orElse(""));
      assertEquals(
          List.of("c describeState", "b verify", "c describeState"),
          record.failures().stream().map(f -> f.owner() + " " + f.operation()).toList());
      String text = record.failures().get(1).message();
      assertTrue(text.contains("x0\"") && text.contains("x1\""), text);
      assertTrue(text.length() < 500, text);
      assertEquals(LoopState.RUNNING, rig.loop.status().state());
      rig.advance(Duration.ofMinutes(1));
      assertFalse(rig.trace.toString().contains("healing"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-17 an executed operation is an error, a pending value is none")
  void operations(Mode mode) {
    try (Rig rig = verifying(mode, Verification.UPSTREAM)) {
      wants(rig, "pending");
      rig.does(Ev.of("e"));
      assertEquals("applied", last(rig).outcome().orElse(""), last(rig).toString());
      assertEquals(1, last(rig).transaction().orElseThrow().operations().size());
      wants(rig, "1");
      rig.does(Ev.of("f"));
      assertEquals("applied", last(rig).outcome().orElse(""), last(rig).toString());
      wants(rig, "2");
      rig.a.onResync = (event, turn) -> {};
      rig.does(Ev.of("g"));
      EventRecord record = last(rig);
      assertEquals("applied with errors", record.outcome().orElse(""));
      assertEquals(Optional.of("/k/k"), record.failures().get(0).key());
      assertTrue(record.failures().get(0).message().contains("DELETE of /k/k"));
      assertEquals(LoopState.RUNNING, rig.loop.status().state());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-17 downstream, it is compared with what the outside really has")
  void downstream(Mode mode) {
    try (Rig rig = new Rig(mode, c -> c.verification(Verification.DOWNSTREAM), b -> b)) {
      rig.outside.readable = true;
      rig.resync();
      wants(rig, "1");
      rig.does(Ev.of("e"));
      assertEquals("applied", last(rig).outcome().orElse(""), last(rig).toString());
      assertEquals(EventMethod.FULL_RESYNC, last(rig).method());
      rig.a.onUpdate =
          (event, turn) -> {
            rig.outside.values.put("k", "tampered");
            return "";
          };
      rig.does(Ev.of("f"));
      assertEquals("applied with errors", last(rig).outcome().orElse(""), last(rig).toString());
      assertEquals("{k=1}", rig.outside.values.toString());
    }
  }
}
