package dev.evenkeel.api.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Direction;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.event.Shutdown;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.VolumeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HandlersTest {
  @Test
  @DisplayName(
      "a functional handler sees the classes that it names, and resyncs only when it has a reaction")
  void selects() throws Exception {
    EventHandler handler =
        Handlers.named("quota").on(CreateVolume.class, (event, turn) -> event.name()).build();
    assertTrue(handler.handlesEvent(CreateVolume.of("v", 1)));
    assertFalse(handler.handlesEvent(new Shutdown()));
    assertFalse(handler.handlesEvent(DatastoreResync.of(InputState.empty())));
    EventHandler withResync = Handlers.named("r").resync((event, turn) -> {}).build();
    assertTrue(withResync.handlesEvent(DatastoreResync.of(InputState.empty())));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Handlers.named("x").on(Shutdown.class, (e, t) -> "").on(Shutdown.class, (e, t) -> ""));
  }

  @Test
  @DisplayName("a functional handler is not asked about changes of kinds that it does not name")
  void selectsChanges() {
    EventHandler handler =
        Handlers.named("h").onChange(NameKey.VOLUMES, (event, turn) -> event.key()).build();
    var value = new NameRecord("u");
    assertTrue(
        handler.handlesEvent(
            StateChange.put(new NameKey(ObjectKind.VOLUME, "v"), Optional.empty(), value)));
    assertFalse(
        handler.handlesEvent(
            StateChange.put(new NameKey(ObjectKind.GROUP, "g"), Optional.empty(), value)));
    assertFalse(handler.handlesEvent(new Shutdown()));
  }

  @Test
  @DisplayName("EL-06 an input change goes forward with a new value, and in reverse without one")
  void inputChangeDirection() {
    var key = new NameKey(ObjectKind.VOLUME, "v");
    var value = new NameRecord("u");
    assertEquals(
        Direction.FORWARD, StateChange.put(key, Optional.empty(), value).spec().direction());
    assertEquals(Direction.REVERSE, StateChange.delete(key, value).spec().direction());
    assertThrows(
        IllegalArgumentException.class,
        () -> new StateChange(key.path(), key.type(), Optional.empty(), Optional.empty()));
  }

  @Test
  @DisplayName("healing is a full resync after an error, a downstream one when it is periodic")
  void healingMethods() {
    assertEquals(
        EventMethod.FULL_RESYNC, new HealingResync(HealingResync.Cause.AFTER_ERROR, 1).method());
    assertEquals(
        EventMethod.DOWNSTREAM_RESYNC, new HealingResync(HealingResync.Cause.PERIODIC, 1).method());
    assertThrows(IllegalArgumentException.class, () -> new Notification(new TreeMap<>()));
  }

  @Test
  @DisplayName(
      "volume requests lock their name and their source, and keep size and secrets out of the fingerprint")
  void volumeRequests() {
    CreateVolume clone =
        CreateVolume.of("v", 1)
            .from(new VolumeSource(VolumeSource.Kind.VOLUME, ObjectRef.named("s")));
    Lane.Operation lane = (Lane.Operation) clone.spec().lane();
    assertEquals(2, lane.locks().size());
    assertTrue(
        lane.locks().stream()
            .anyMatch(l -> l.id().equals("volume/s") && l.mode() == LockMode.CLONE_SOURCE));
    Lane.Operation small = (Lane.Operation) CreateVolume.of("v", 1).spec().lane();
    Lane.Operation large = (Lane.Operation) CreateVolume.of("v", 2).spec().lane();
    assertEquals(small.fingerprint(), large.fingerprint());
    Lane.Operation removing =
        (Lane.Operation) new DeleteVolume(ObjectRef.named("v"), Secrets.NONE).spec().lane();
    assertEquals(Lane.Completion.ERASE, removing.completion());
  }

  @Test
  @DisplayName(
      "a spec that cannot be meant is refused: a deadline of zero, coalescing of what can be reverted")
  void specs() {
    assertThrows(
        IllegalArgumentException.class, () -> EventSpec.bestEffort().deadline(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> EventSpec.revertOnFailure().coalesceBy("k"));
    assertEquals(Direction.REVERSE, EventSpec.ignoreErrors().reverse().direction());
  }

  @Test
  @DisplayName("wishes for a place add up")
  void wishesAddUp() {
    Order order = Order.after("a").before("c").before("d", "b");
    assertEquals("[a] [b, c, d]", order.after() + " " + order.before());
  }
}
