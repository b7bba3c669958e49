package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.core.LoopDecision;
import dev.evenkeel.controller.core.LoopInput;
import dev.evenkeel.controller.core.LoopObserver;
import dev.evenkeel.datastore.MemoryDatastore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events, handlers, descriptors, steps and observers that do what they should not. */
@DisplayName("The loop outlives")
@Timeout(60)
final class HostileUsersTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("times further away than a clock can say: they never come")
  void farAway(Mode mode) throws Exception {
    Rig rig = new Rig(mode, false, config -> config, builder -> builder).resync();
    rig.a.onUpdate =
        (event, turn) -> {
          if (Rec.nameOf(event).equals("later")) {
            turn.schedule(FOREVER, Ev.of("never"));
          }
          turn.txn().put(new K("k"), Rec.nameOf(event));
          return "";
        };
    assertTrue(rig.does(Ev.of("later")).isSuccess());
    Ev patient = new Ev("patient", EventSpec.bestEffort().deadline(FOREVER));
    Submission<Void> submission = rig.loop.pushEvent(patient, FOREVER);
    assertTrue(submission.await(FOREVER).isSuccess());
    rig.advance(Duration.ofMinutes(2));
    assertTrue(rig.does(Ev.of("after")).isSuccess());
    assertEquals(LoopState.RUNNING, rig.loop.status().state());
    rig.loop.close(FOREVER);
    assertEquals(LoopState.CLOSED, rig.loop.status().state());
    assertThrows(LoopClosedException.class, () -> push(rig));
  }

  private static void push(Rig rig) {
    var unused = rig.loop.pushEvent(Ev.of("late"));
  }

  /** Fails from a point on, with everything that it sees. */
  private static final class Broken implements LoopObserver {
    final AtomicBoolean decisions = new AtomicBoolean();
    final AtomicBoolean inputs = new AtomicBoolean();

    @Override
    public void onInput(long turn, Instant now, LoopInput input) {
      if (inputs.get()) {
        throw new IllegalStateException("disk full");
      }
    }

    @Override
    public void onDecision(long turn, LoopDecision decision) {
      if (decisions.get()) {
        throw new IllegalStateException("disk full");
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-10 a recording that fails in the middle of a turn, long enough to answer all")
  void brokenRecording(Mode mode) {
    Broken broken = new Broken();
    Rig rig = new Rig(mode, config -> config, b -> b.observer(broken)).resync();
    rig.a.onUpdate =
        (event, turn) -> {
          broken.decisions.set(true);
          broken.inputs.set(true);
          turn.followUp(Ev.of("follow-up"));
          return "";
        };
    List<Submission<Void>> accepted = new ArrayList<>();
    for (int i = 0; i < (mode == Mode.RING_OF_2 ? 1 : 5); i++) {
      accepted.add(rig.loop.pushEvent(Ev.of("e" + i)));
    }
    rig.settle();
    for (Submission<Void> submission : accepted) {
      Rig.await(submission);
    }
    rig.close();
    assertEquals(LoopState.CLOSED, rig.loop.status().state());
    assertEquals(0, rig.loop.status().waiting());
    assertEquals(1, rig.trace.stream().filter(t -> t.startsWith("a.U(")).count());
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "a step that leaves its thread interrupted: the next one, and an undo, do not see it")
  void interruptedSteps(Mode mode) {
    ItemHandler items = new ItemHandler();
    List<Boolean> seen = new ArrayList<>();
    items.more =
        (event, turn) -> {
          for (int i = 0; i < 2; i++) {
            turn.txn()
                .step(
                    Steps.step("interrupting" + i, String.class)
                        .apply(
                            c -> {
                              seen.add(Thread.currentThread().isInterrupted());
                              Thread.currentThread().interrupt();
                              return "";
                            })
                        .undo(
                            (c, done) -> {
                              seen.add(Thread.currentThread().isInterrupted());
                              Thread.currentThread().interrupt();
                            }));
          }
          turn.txn()
              .step(
                  Steps.step("last", String.class)
                      .apply(
                          c -> {
                            seen.add(Thread.currentThread().isInterrupted());
                            throw new InterruptedException("so it says");
                          })
                      .undo((c, done) -> {}));
          return "";
        };
    try (Rig rig =
        new Rig(
                mode,
                config -> config,
                b ->
                    b.handlers(items)
                        .datastore(MemoryDatastore.create(), JacksonEventCodec.of(DoItem.TYPE)))
            .resync()) {
      Outcome<String> outcome = rig.asks(DoItem.make("x"));
      assertTrue(assertInstanceOf(Outcome.Reverted.class, outcome).complete(), () -> "" + outcome);
      assertEquals(List.of(false, false, false, false, false), seen);
      assertEquals("[]", items.things.toString());
    } finally {
      Thread.interrupted();
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-7 a key type whose parser throws: the change is refused as invalid")
  void throwingParser(Mode mode) {
    KeyType<String> type =
        KeyType.of(
            "bad",
            "/bad/",
            String.class,
            path -> {
              throw new AssertionError("no parser");
            });
    try (Rig rig = Rig.started(mode)) {
      StateChange change =
          new StateChange("/bad/x", type, Optional.empty(), Optional.<Object>of("v"));
      Outcome<Void> outcome = rig.does(change);
      assertInstanceOf(Outcome.Refused.class, outcome);
      assertEquals(ErrorKind.INVALID, outcome.failures().get(0).kind());
      assertTrue(rig.does(Ev.of("next")).isSuccess());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-15 a merge that throws: its event fails, and the next ones are processed")
  void throwingMerge(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      TreeMap<Key<?>, Optional<Object>> values = new TreeMap<>();
      values.put(new K("k"), Optional.of("throw"));
      Outcome<Void> outcome = rig.does(new ExternalChange("source", values));
      assertFalse(outcome.isSuccess());
      assertTrue(outcome.failures().get(0).message().contains("no merge"), () -> "" + outcome);
      assertTrue(rig.does(Ev.of("next")).isSuccess());
      assertFalse(rig.loop.pushEvent(DatastoreResync.of(InputState.empty())).id().number() < 0);
      rig.settle();
      assertFalse(rig.loop.status().state() == LoopState.ABORTING);
    }
  }

  /** Brings a secret along. */
  private record Hush(Secrets secrets) implements UpdateEvent {
    static final EventType<Hush> TYPE = EventType.of("hush", Hush.class);

    @Override
    public EventType<Hush> type() {
      return TYPE;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.revertOnFailure();
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("a step that lets its secret out in an error: nothing shows it")
  void secrets(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn()
                .step(
                    Steps.step("mount", String.class)
                        .apply(
                            c -> {
                              String key = c.secret("key").use(c, value -> value);
                              throw new IllegalStateException(
                                  "cannot mount", new IOException("mount -o key=" + key));
                            })
                        .undo((c, done) -> {}));
            turn.txn()
                .step(Steps.step("unmount", String.class).apply(c -> "").undo((c, done) -> {}));
            return "";
          };
      Outcome<Void> wrapped = rig.does(new Hush(Secrets.of(Map.of("key", Secret.of("hunter2")))));
      rig.b.onUpdate = rig.a.onUpdate;
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn()
                .step(
                    Steps.step("open", String.class)
                        .apply(
                            c -> {
                              throw new EvenkeelException(
                                  ErrorKind.UNAUTHORIZED,
                                  c.secret("key").use(c, key -> "wrong key: " + key));
                            })
                        .undo((c, done) -> {}));
            return "";
          };
      Outcome<Void> direct = rig.does(new Hush(Secrets.of(Map.of("key", Secret.of("hunter2")))));
      assertFalse((wrapped + " " + direct + rig.loop.history().last(10)).contains("hunter2"));
      assertEquals(ErrorKind.UNAUTHORIZED, direct.failures().get(0).kind());
      assertTrue(direct.failures().get(0).message().contains("wrong key: " + Secret.MASK));
    }
  }

  /** Says everything of itself once, and throws when asked again. */
  private record Once(AtomicInteger asked) implements UpdateEvent {
    static final EventType<Once> TYPE = EventType.of("once", Once.class);

    @Override
    public EventType<Once> type() {
      if (asked.incrementAndGet() > 1) {
        throw new AssertionError("asked again");
      }
      return TYPE;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.bestEffort();
    }

    @Override
    public Secrets secrets() {
      if (asked.get() > 1) {
        throw new AssertionError("asked again");
      }
      return Secrets.NONE;
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("an event that says something of itself only once: it has one outcome")
  void asksOnce(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("k"), "v");
            return "";
          };
      Rig.await(rig.loop.pushEvent(new Once(new AtomicInteger())));
      assertTrue(rig.does(Ev.of("next")).isSuccess());
    }
  }
}
