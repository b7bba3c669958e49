package dev.evenkeel.app.workload;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.VolumeSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/** Makes the event of one line; the faults go to the binder. */
final class EventLine {
  private static final String EVENTS =
      String.join(
          ", ",
          CreateVolume.TYPE.name(),
          ExpandVolume.TYPE.name(),
          CreateSnapshot.TYPE.name(),
          DeleteVolume.TYPE.name(),
          DeleteSnapshot.TYPE.name());

  private final Binder binder;
  private final boolean faultsAllowed;

  EventLine(Binder binder, boolean faultsAllowed) {
    this.binder = binder;
    this.faultsAllowed = faultsAllowed;
  }

  /** The event; meaningless, or none, when the binder has got a fault. */
  Optional<Entry> read(long line, Expected expected) {
    Optional<String> kind = binder.optionalText("event");
    String note = binder.optionalText("note").orElse("");
    if (kind.isEmpty()) {
      if (!binder.has("event")) {
        binder.missing("event", "add one of " + EVENTS);
      }
      return Optional.empty();
    }
    try {
      Optional<Entry.Fault> fault =
          kind.get().equals(CreateVolume.TYPE.name()) ? fault() : Optional.empty();
      Optional<Request<?>> request = request(kind.get());
      if (request.isPresent()) {
        binder.finish();
      }
      return request.map(event -> new Entry.Wanted(line, event, expected, fault, note));
    } catch (InvalidInputException invalid) {
      invalid.faults().forEach(f -> binder.fault(f.field(), f.reason(), f.given()));
      binder.finish();
      return Optional.empty();
    }
  }

  private Optional<Request<?>> request(String kind) {
    return switch (kind) {
      case "create-volume" -> Optional.of(createVolume());
      case "expand-volume" -> {
        ObjectRef volume = named("name");
        yield Optional.of(new ExpandVolume(volume, range(binder.size("size")), Secrets.NONE));
      }
      case "create-snapshot" -> {
        String name = binder.name("name");
        yield Optional.of(new CreateSnapshot(name, named("volume"), Secrets.NONE));
      }
      case "delete-volume" -> Optional.of(new DeleteVolume(named("name"), Secrets.NONE));
      case "delete-snapshot" -> Optional.of(new DeleteSnapshot(named("name"), Secrets.NONE));
      default -> {
        binder.fault("event", "must be one of " + EVENTS, '"' + kind + '"');
        yield Optional.empty();
      }
    };
  }

  private ObjectRef named(String field) {
    return ObjectRef.named(binder.name(field));
  }

  private CreateVolume createVolume() {
    String name = binder.name("name");
    // Of a copy the source says how large it is at least.
    Optional<VolumeSource> source = source();
    long size = source.isPresent() ? binder.optionalSize("size").orElse(0) : binder.size("size");
    SortedMap<String, String> parameters = binder.texts("parameters");
    return new CreateVolume(name, range(size), source, parameters, Secrets.NONE);
  }

  private Optional<VolumeSource> source() {
    Optional<String> snapshot = binder.optionalName("from-snapshot");
    Optional<String> volume = binder.optionalName("from-volume");
    if (snapshot.isPresent() && volume.isPresent()) {
      binder.fault("from-snapshot", "stands beside from-volume; keep one of them", "");
    }
    return snapshot
        .map(name -> new VolumeSource(VolumeSource.Kind.SNAPSHOT, ObjectRef.named(name)))
        .or(
            () ->
                volume.map(
                    name -> new VolumeSource(VolumeSource.Kind.VOLUME, ObjectRef.named(name))));
  }

  private SizeRange range(long required) {
    OptionalLong limit = binder.optionalSize("limit");
    return new SizeRange(required, limit.orElse(0));
  }

  private Optional<Entry.Fault> fault() {
    Optional<String> word = binder.optionalText("fault");
    if (word.isEmpty()) {
      return Optional.empty();
    }
    if (!faultsAllowed) {
      binder.fault("fault", "is taken with --demo-faults only; add that, or remove it", "");
    } else if (!word.get().equals("last-step")) {
      binder.fault("fault", "must be \"last-step\"", '"' + word.get() + '"');
    }
    return Optional.of(Entry.Fault.LAST_STEP);
  }
}
