package dev.evenkeel.codec.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.ExternalResync;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.event.Shutdown;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.event.VerificationResync;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.MountSpec;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.StageVolume;
import dev.evenkeel.api.volume.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JacksonEventCodecTest {
  record Mine(String text) implements UpdateEvent {
    static final EventType<Mine> TYPE = new EventType<>("mine", 3, Mine.class);

    @Override
    public EventType<Mine> type() {
      return TYPE;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.bestEffort();
    }
  }

  private final JacksonEventCodec codec = JacksonEventCodec.withVolumes(Mine.TYPE);
  private final NameKey key = new NameKey(ObjectKind.VOLUME, "a");
  private final NameKey other = new NameKey(ObjectKind.SNAPSHOT, "b");
  private final NameRecord value = new NameRecord("u");

  private Event roundTrip(Event event) {
    String text = codec.encode(event);
    assertFalse(text.contains("\n"));
    return codec.decode(event.type().name(), event.type().version(), text);
  }

  @Test
  @DisplayName("every kind of the framework's comes back equal")
  void builtIn() {
    InputState state = InputState.empty().with(key, value).with(other, new NameRecord("w"));
    TreeMap<Key<?>, Optional<Object>> changes = new TreeMap<>();
    changes.put(key, Optional.of(value));
    changes.put(other, Optional.empty());
    for (Event event :
        List.of(
            new DatastoreResync(state, InputState.empty(), true),
            new ExternalChange("source", changes),
            new ExternalResync("source", state),
            new HealingResync(HealingResync.Cause.AFTER_ERROR, 2),
            new Notification(changes),
            new Shutdown(),
            StateChange.put(key, Optional.empty(), value),
            StateChange.delete(key, value),
            new VerificationResync(true),
            new Mine("x"))) {
      assertEquals(event, roundTrip(event));
    }
  }

  @Test
  @DisplayName("requests for volumes come back equal, and every one of their kinds is storable")
  void volumes() {
    CreateVolume create =
        CreateVolume.of("v", 10)
            .from(new VolumeSource(VolumeSource.Kind.SNAPSHOT, ObjectRef.named("s")))
            .with("a", "b");
    assertEquals(create, roundTrip(create));
    StageVolume stage =
        new StageVolume(ObjectRef.id("i"), "n", "/p", MountSpec.PLAIN, Secrets.NONE);
    assertEquals(stage, roundTrip(stage));
    assertEquals(15, JacksonEventCodec.volumeTypes().size());
    JacksonEventCodec.of(JacksonEventCodec.volumeTypes().toArray(EventType<?>[]::new));
  }

  @Test
  @DisplayName("secrets are never written and come back as none")
  void secrets() {
    CreateVolume event =
        CreateVolume.of("v", 1).with(Secrets.of(Map.of("pass", Secret.of("hunter2"))));
    String text = codec.encode(event);
    assertFalse(
        text.contains("hunter2") || text.contains("pass") || text.contains("secrets"), text);
    CreateVolume back = (CreateVolume) codec.decode("create-volume", 1, text);
    assertTrue(back.secrets() == Secrets.NONE);
  }

  @Test
  @DisplayName("unknown kinds are refused, newer versions are a failed precondition")
  void kinds() {
    assertThrows(
        InvalidInputException.class, () -> JacksonEventCodec.of().encode(CreateVolume.of("v", 1)));
    assertThrows(InvalidInputException.class, () -> codec.decode("create-volum", 1, "{}"));
    var newer = assertThrows(EvenkeelException.class, () -> codec.decode("mine", 4, "nonsense"));
    assertEquals(ErrorKind.FAILED_PRECONDITION, newer.kind());
    assertEquals(new Mine("old"), codec.decode("mine", 2, "{\"text\":\"old\"}"));
    assertThrows(
        InvalidInputException.class,
        () -> JacksonEventCodec.of(Mine.TYPE).encode(StateChange.delete(key, value)),
        "a kind of key that was not given");
  }

  @Test
  @DisplayName("every fault of a text is said at once, with its place")
  void faults() {
    var wrong =
        assertThrows(
            InvalidInputException.class,
            () ->
                codec.decode(
                    "create-volume",
                    1,
                    "{\"nmae\":\"v\",\"size\":{\"required\":\"x\",\"limit\":0}}"));
    assertEquals(
        "create-volume is invalid: name: is missing; size.required: must be a whole number from "
            + Long.MIN_VALUE
            + " to "
            + Long.MAX_VALUE
            + "; nmae: is not known",
        wrong.getMessage());
    var negative =
        assertThrows(
            InvalidInputException.class,
            () ->
                codec.decode(
                    "create-volume", 1, "{\"name\":\"v\",\"size\":{\"required\":-1,\"limit\":0}}"));
    assertTrue(negative.toString().contains("must not be negative"), negative.toString());
    var odd =
        assertThrows(
            InvalidInputException.class,
            () ->
                codec.decode(
                    "create-volume",
                    1,
                    "{\"name\":\"../x\",\"size\":{\"required\":1,\"limit\":0}}"));
    assertTrue(odd.toString().contains("name"), odd.toString());
    assertThrows(InvalidInputException.class, () -> codec.decode("create-volume", 1, "{\"name"));
  }
}
