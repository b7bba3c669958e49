package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.loop.EventQueueFullException;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.controller.core.EndedEvent;
import dev.evenkeel.controller.metrics.LoopMetrics;
import dev.evenkeel.controller.metrics.LoopTally;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A loop's numbers")
final class MetricsTest {
  private final MeterRegistry registry = new SimpleMeterRegistry();

  private Rig rig(Rig.Mode mode) {
    return new Rig(
        mode,
        config -> config.capacity(2).maxFollowUpDepth(2).historyRecords(5),
        builder -> builder.metrics(LoopMetrics.in(registry)));
  }

  private double counted(String name, String... tags) {
    FunctionCounter counter = registry.find(name).tags(tags).functionCounter();
    return counter == null ? -1 : counter.count();
  }

  private double gauged(String name, String... tags) {
    Gauge gauge = registry.find(name).tags(tags).gauge();
    return gauge == null ? -1 : gauge.value();
  }

  private FunctionTimer timed(String name, String... tags) {
    FunctionTimer timer = registry.find(name).tags(tags).functionTimer();
    if (timer == null) {
      throw new AssertionError("no timer " + name + " " + List.of(tags));
    }
    return timer;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("EW-25 tell outcomes, failures, follow-ups, healings, reverts and limits")
  void counts(Rig.Mode mode) {
    try (Rig rig = rig(mode)) {
      rig.resync();
      rig.a.onUpdate =
          (event, turn) -> {
            switch (event.describe()) {
              case "twice" -> {
                turn.followUp(Ev.of("one"));
                turn.followUp(Ev.of("two"));
              }
              case "endless" -> turn.followUp(Ev.of("endless"));
              case "bad", "worse" -> throw new IllegalStateException("bad");
              default -> {}
            }
            return "";
          };
      rig.c.onUpdate =
          (event, turn) -> {
            if (event.describe().equals("back")) {
              throw new IllegalStateException("go back");
            }
            return "";
          };
      rig.b.onRevert =
          (event, turn) -> {
            throw new IllegalStateException("will not");
          };
      rig.does(Ev.of("fine"));
      rig.does(Ev.of("twice"));
      rig.does(Ev.of("bad"));
      rig.does(Ev.reverting("worse"));
      rig.does(Ev.reverting("back"));
      assertEquals(5, counted("evenkeel.loop.outcomes", "outcome", "applied"));
      assertEquals(1, counted("evenkeel.loop.outcomes", "outcome", "applied with errors"));
      assertEquals(1, counted("evenkeel.loop.outcomes", "outcome", "reverted"));
      assertEquals(1, counted("evenkeel.loop.outcomes", "outcome", "reverted incompletely"));
      assertEquals(2, counted("evenkeel.loop.followups"));
      assertEquals(1, counted("evenkeel.loop.revert.failures"));
      assertEquals(1, counted("evenkeel.loop.healings", "what", "scheduled"));
      assertEquals(0, counted("evenkeel.loop.healings", "what", "run"));
      rig.advance(Duration.ofMinutes(1));
      rig.until(() -> counted("evenkeel.loop.healings", "what", "run") == 1);
      rig.until(() -> gauged("evenkeel.loop.ready") == 1);
      assertEquals(0, counted("evenkeel.loop.healings", "what", "failed"));
      rig.until(() -> registry.find("evenkeel.loop.event.duration").functionTimers().size() >= 2);
      assertEquals(7, timed("evenkeel.loop.event.duration", "type", "ev").count());
      assertEquals(3, counted("evenkeel.loop.event.failures", "type", "ev"));
      assertEquals(10, timed("evenkeel.loop.handler.duration", "handler", "a").count());
      assertEquals(2, counted("evenkeel.loop.handler.failures", "handler", "a"));
      assertEquals(9, timed("evenkeel.loop.event.wait").count());
      assertEquals(2, counted("evenkeel.txn.transactions", "outcome", "applied"));
      assertEquals(
          4,
          counted("evenkeel.loop.limits", "limit", "history-records"),
          "nine events, five records");
      assertEquals(5, gauged("evenkeel.loop.history.records"));
      rig.does(Ev.of("endless"));
      rig.until(() -> counted("evenkeel.loop.limits", "limit", "follow-up-depth") == 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("tell the queue, the state, and what was refused; and are gone after the end")
  void queue(Rig.Mode mode) {
    Rig rig = rig(mode);
    try (rig) {
      assertEquals(1, gauged("evenkeel.loop.state", "state", "starting"));
      var first = rig.loop.pushEvent(Ev.of("one"));
      var second = rig.loop.pushEvent(Ev.of("two"));
      assertThrows(EventQueueFullException.class, () -> rig.loop.pushEvent(Ev.of("three")).id());
      assertEquals(2, gauged("evenkeel.loop.queue.waiting", "loop", "test"));
      assertEquals(2, gauged("evenkeel.loop.queue.highwater"));
      assertEquals(2, gauged("evenkeel.loop.queue.capacity"));
      assertEquals(0, gauged("evenkeel.loop.ready"));
      assertEquals(1, counted("evenkeel.loop.refusals", "kind", "full"));
      rig.loop.close(Duration.ofSeconds(10));
      assertEquals("dropped", Rig.await(first).word());
      assertEquals("dropped", Rig.await(second).word());
      assertThrows(LoopClosedException.class, () -> rig.loop.pushEvent(Ev.of("four")).id());
      rig.until(() -> registry.getMeters().isEmpty());
    }
  }

  @Test
  @DisplayName("of several loops stand side by side, not of two with one name")
  void several() {
    LoopMetrics metrics = LoopMetrics.in(registry);
    try (var one = EventLoops.builder("one").metrics(metrics).start();
        var two = EventLoops.builder("two").metrics(metrics).start()) {
      assertEquals(2, registry.find("evenkeel.loop.ready").gauges().size());
      assertThrows(
          IllegalStateException.class,
          () -> EventLoops.builder("one").metrics(metrics).start().close());
      assertTrue(one.status().alive(Duration.ofDays(1)) && two.status().alive(Duration.ofDays(1)));
    }
  }

  /** One that was applied, and had no handler. */
  private record Applied(long sequence, String typeName) implements EndedEvent {
    @Override
    public EventMethod method() {
      return EventMethod.UPDATE;
    }

    @Override
    public Instant begun() {
      return Instant.EPOCH;
    }

    @Override
    public Instant ended() {
      return Instant.EPOCH;
    }

    @Override
    public long tookNanos() {
      return 1;
    }

    @Override
    public String word() {
      return "applied";
    }

    @Override
    public List<Failure> failures() {
      return List.of();
    }

    @Override
    public Optional<TransactionResult> transaction() {
      return Optional.empty();
    }

    @Override
    public int calls() {
      return 0;
    }

    @Override
    public String handler(int call) {
      throw new IndexOutOfBoundsException(call);
    }

    @Override
    public long nanos(int call) {
      throw new IndexOutOfBoundsException(call);
    }

    @Override
    public boolean failed(int call) {
      throw new IndexOutOfBoundsException(call);
    }
  }

  @Test
  @DisplayName("have a limit on series: types beyond it are counted as other")
  void limited() {
    LoopTally tally = LoopMetrics.in(registry).mostSeries(2).tally();
    try (Rig rig =
        new Rig(
            Rig.Mode.MANUAL,
            config -> config,
            builder -> builder.metrics(LoopMetrics.in(registry).mostSeries(2)))) {
      rig.resync();
      rig.does(Ev.of("one"));
    }
    assertThrows(IllegalArgumentException.class, () -> LoopMetrics.in(registry).mostSeries(0));
    for (int i = 0; i < 10; i++) {
      tally.ended(new Applied(i, "type " + i));
    }
    assertEquals(3, tally.types());
  }

  @Test
  @DisplayName("stand in the documentation, every one of them, and no other")
  void documented() throws IOException {
    List<String> rows = new ArrayList<>();
    try (Rig rig = rig(Rig.Mode.MANUAL)) {
      rig.resync();
      rig.does(Ev.of("one"));
      TreeSet<String> lines = new TreeSet<>();
      for (Meter meter : registry.getMeters()) {
        Meter.Id id = meter.getId();
        TreeSet<String> tags = new TreeSet<>();
        id.getTags().forEach(tag -> tags.add(tag.getKey()));
        tags.remove("loop");
        lines.add(
            "| `"
                + id.getName()
                + "` | "
                + typeOf(meter)
                + " | "
                + String.join(", ", tags)
                + " | "
                + unitOf(meter)
                + " |");
      }
      rows.addAll(lines);
    }
    TreeSet<String> documented = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of("../../docs/metrics.md"))) {
      if (line.matches("\\| `evenkeel\\.[a-z].*")) {
        documented.add(line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1).strip());
      }
    }
    assertEquals(String.join("\n", rows), String.join("\n", documented));
  }

  private static String typeOf(Meter meter) {
    return meter instanceof FunctionTimer
        ? "timer"
        : meter instanceof FunctionCounter ? "counter" : "gauge";
  }

  private static String unitOf(Meter meter) {
    if (meter instanceof FunctionTimer) {
      return TimeUnit.SECONDS.name().toLowerCase(Locale.ROOT);
    }
    String unit = meter.getId().getBaseUnit();
    return unit == null ? "" : unit;
  }
}
