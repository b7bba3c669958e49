package dev.evenkeel.txn.operation;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventCodec;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.UpdateEvent;
import java.util.List;

/** Create, delete or expand a volume, in tests. */
record VolumeEvent(String kind, String name, String fingerprint) implements UpdateEvent {
  static final EventType<VolumeEvent> TYPE = EventType.of("volume-event", VolumeEvent.class);

  /** Their codec: fields with bars between them. */
  static final EventCodec CODEC =
      new EventCodec() {
        @Override
        public String encode(Event event) {
          VolumeEvent e = (VolumeEvent) event;
          return String.join("|", e.kind, e.name, e.fingerprint);
        }

        @Override
        public Event decode(String type, int version, String text) {
          List<String> parts = List.of(text.split("\\|", -1));
          return new VolumeEvent(parts.get(0), parts.get(1), parts.get(2));
        }
      };

  static VolumeEvent create(String name, String fingerprint) {
    return new VolumeEvent("create", name, fingerprint);
  }

  static VolumeEvent delete(String name) {
    return new VolumeEvent("delete", name, "delete");
  }

  static VolumeEvent expand(String name) {
    return new VolumeEvent("expand", name, "expand");
  }

  String subject() {
    return "volume/" + name;
  }

  Lane.Operation lane() {
    String subject = subject();
    return switch (kind) {
      case "create" ->
          Lane.Operation.making(kind, subject, fingerprint, LockKey.of(subject, LockMode.CREATE));
      case "delete" -> Lane.Operation.removing(kind, subject, LockKey.of(subject, LockMode.DELETE));
      default ->
          Lane.Operation.changing(kind, subject, fingerprint, LockKey.of(subject, LockMode.EXPAND));
    };
  }

  @Override
  public EventType<VolumeEvent> type() {
    return TYPE;
  }

  @Override
  public EventSpec spec() {
    return EventSpec.revertOnFailure().operation(lane());
  }
}
