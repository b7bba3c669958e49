package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.loop.Stall;
import dev.evenkeel.api.txn.Txn;
import dev.evenkeel.controller.flight.HandlerEvent;
import dev.evenkeel.controller.flight.StallEvent;
import dev.evenkeel.controller.flight.StepEvent;
import dev.evenkeel.controller.flight.TurnEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import jdk.jfr.EventType;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The flight recorder")
final class FlightTest {
  @TempDir Path dir;

  private List<RecordedEvent> record(Runnable what) throws IOException {
    Path file = dir.resolve("flight.jfr");
    try (Recording recording = new Recording()) {
      for (String name : List.of("Turn", "Handler", "Step", "Stall")) {
        recording.enable("evenkeel." + name).withThreshold(Duration.ZERO);
      }
      recording.start();
      what.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file);
  }

  private static List<RecordedEvent> named(List<RecordedEvent> all, String name) {
    return all.stream().filter(e -> e.getEventType().getName().equals("evenkeel." + name)).toList();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("gets turns, calls of handlers, and steps, with what they were about")
  void records(Rig.Mode mode) throws IOException {
    List<RecordedEvent> all =
        record(
            () -> {
              try (Rig rig = new Rig(mode, false, config -> config, builder -> builder)) {
                rig.resync();
                rig.a.onUpdate =
                    (event, turn) -> {
                      Txn txn = turn.txn();
                      txn.put(new K("x"), "1");
                      return "";
                    };
                rig.c.onUpdate =
                    (event, turn) -> {
                      throw new IllegalStateException("no");
                    };
                rig.does(Ev.of("one"));
              }
            });
    RecordedEvent turn =
        named(all, "Turn").stream()
            .filter(e -> "ev".equals(e.getString("eventType")))
            .findFirst()
            .orElseThrow();
    assertEquals("test", turn.getString("loop"));
    assertEquals("Submitted", turn.getString("input"));
    assertTrue(turn.getLong("turn") > 1);
    List<RecordedEvent> updates =
        named(all, "Handler").stream()
            .filter(e -> e.getString("call").equals("update") && e.getLong("sequence") == 1)
            .toList();
    assertEquals(
        List.of("a false", "b false", "c true"),
        updates.stream().map(e -> e.getString("handler") + " " + e.getBoolean("failed")).toList());
    assertEquals("ev", updates.get(0).getString("eventType"));
    assertEquals("test", updates.get(0).getString("loop"));
    assertTrue(!updates.get(0).getDuration().isNegative());
    RecordedEvent step =
        named(all, "Step").stream()
            .filter(e -> e.getString("kind").equals("create"))
            .findFirst()
            .orElseThrow();
    assertTrue(step.getString("target").endsWith("x"), step.toString());
    assertEquals("a", step.getString("owner"));
    assertEquals("test", step.getString("loop"));
  }

  @Test
  @DisplayName("gets stalls, with who holds the loop")
  void stalls() throws IOException {
    Stall stall =
        new Stall(
            "test",
            Stall.Level.LIMIT,
            Instant.EPOCH,
            Instant.EPOCH.plusSeconds(30),
            Instant.EPOCH.plusSeconds(31),
            "b update for event 3 ev",
            Optional.of(7L),
            Optional.of("b"),
            12,
            List.of(),
            List.of(new StackTraceElement("C", "m", "C.java", 1)));
    RecordedEvent event = named(record(() -> StallEvent.tell(stall)), "Stall").get(0);
    assertEquals("limit", event.getString("level"));
    assertEquals("b", event.getString("handler"));
    assertEquals(7, event.getLong("sequence"));
    assertEquals(12, event.getInt("waiting"));
    assertEquals(Duration.ofSeconds(30), event.getDuration("held"));
    assertEquals("C.m(C.java:1)\n", event.getString("stack"));
  }

  @Test
  @DisplayName("costs nothing when nobody records: nothing is even made")
  void off() {
    assertNull(TurnEvent.start());
    assertNull(HandlerEvent.start());
    assertNull(StepEvent.start());
  }

  @Test
  @DisplayName("has its events and fields in the documentation")
  void documented() throws IOException {
    TreeSet<String> lines = new TreeSet<>();
    for (Class<? extends jdk.jfr.Event> type :
        List.of(TurnEvent.class, HandlerEvent.class, StepEvent.class, StallEvent.class)) {
      EventType event = EventType.getEventType(type);
      List<String> fields =
          event.getFields().stream()
              .map(ValueDescriptor::getName)
              .filter(
                  name ->
                      !List.of("startTime", "duration", "eventThread", "stackTrace").contains(name))
              .toList();
      lines.add("| `" + event.getName() + "` | " + String.join(", ", fields) + " |");
    }
    TreeSet<String> documented = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of("../../docs/metrics.md"))) {
      if (line.matches("\\| `evenkeel\\.[A-Z].*")) {
        documented.add(line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1).strip());
      }
    }
    assertEquals(String.join("\n", lines), String.join("\n", documented));
  }
}
