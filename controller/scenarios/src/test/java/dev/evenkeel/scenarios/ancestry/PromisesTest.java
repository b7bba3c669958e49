package dev.evenkeel.scenarios.ancestry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.datastore.SyncStatus;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.TransactionType;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.volume.DeviceMountState;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the ancestors promise, and the shape of a type alone keeps. */
@DisplayName("By their shape alone")
final class PromisesTest {
  private record Ping(String text) implements UpdateEvent {
    static final EventType<Ping> TYPE = EventType.of("ping", Ping.class);

    @Override
    public EventType<Ping> type() {
      return TYPE;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.bestEffort();
    }
  }

  @Test
  @DisplayName("an event has a name that is checked, a version, a method and words for people")
  void event() {
    Event event = new Ping("hello");
    assertEquals("ping", event.type().name());
    assertEquals(1, event.type().version());
    assertEquals(EventMethod.UPDATE, event.method());
    assertTrue(event.describe().contains("hello"));
    for (String bad : List.of("", "Ping", "a b", "ping!", "-ping", "p".repeat(64))) {
      assertThrows(IllegalArgumentException.class, () -> EventType.of(bad, Ping.class), bad);
    }
    assertThrows(IllegalArgumentException.class, () -> new EventType<>("ping", 0, Ping.class));
  }

  @Test
  @DisplayName("an event is an update or a resync, never both, and carries no result")
  void sealedHierarchy() {
    assertEquals(
        Set.of(UpdateEvent.class, ResyncEvent.class),
        Set.copyOf(Arrays.asList(Event.class.getPermittedSubclasses())));
    Set<String> methods =
        Stream.of(Event.class.getMethods()).map(m -> m.getName()).collect(Collectors.toSet());
    assertEquals(Set.of("type", "method", "describe"), methods);
  }

  @Test
  @DisplayName("there are the four methods, and the framework's resyncs use the three of them")
  void methods() {
    assertEquals(
        List.of("FULL_RESYNC", "UPSTREAM_RESYNC", "DOWNSTREAM_RESYNC", "UPDATE"),
        Stream.of(EventMethod.values()).map(Enum::name).toList());
    assertEquals(EventMethod.FULL_RESYNC, DatastoreResync.of(InputState.empty()).method());
    assertEquals(
        EventMethod.DOWNSTREAM_RESYNC, new HealingResync(HealingResync.Cause.PERIODIC, 1).method());
  }

  @Test
  @DisplayName("transaction type and direction come in one value that refuses contradictions")
  void spec() {
    assertEquals(TransactionType.BEST_EFFORT, new Ping("x").spec().transaction());
    assertThrows(
        IllegalArgumentException.class, () -> EventSpec.revertOnFailure().coalesceBy("key"));
  }

  @Test
  @DisplayName("a syncer's status has its three texts, and no fourth")
  void status() {
    assertEquals(
        List.of("wait-for-ready", "resync", "in-sync"),
        Stream.of(SyncStatus.values()).map(SyncStatus::toString).toList());
  }

  @Test
  @DisplayName("a device is mounted, not mounted, or nobody knows")
  void mountState() {
    assertEquals(3, DeviceMountState.values().length);
  }
}
