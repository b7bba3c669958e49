package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.ModifyVolume;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRecord.State;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.api.volume.VolumeId;
import dev.evenkeel.api.volume.VolumeLocks;
import dev.evenkeel.api.volume.VolumeNames;
import dev.evenkeel.api.volume.VolumeSource;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The decisions about names (operations reference, 1.3 to 1.6, 4.1 to 4.6). A name that an earlier
 * attempt has taken keeps its UUID; what is complete is adopted; everything else is refused before
 * anything has been done.
 */
final class Reservations {
  private final VolumeBackend backend;
  private final VolumeSettings settings;
  private final Sizes sizes;

  Reservations(VolumeBackend backend, VolumeSettings settings) {
    this.backend = backend;
    this.settings = settings;
    sizes = new Sizes(backend);
  }

  VolumePlan volume(CreateVolume create, Turn turn, Records records) {
    Optional<Records.Entry> entry = records.byName(ObjectKind.VOLUME, create.name());
    if (isComplete(entry, turn)) {
      ObjectRecord there = requireRecord(create.name(), entry);
      compare(there, create.parameters(), create.source(), records);
      Sizes.compare("volume " + create.name(), create.size(), there.size());
      return new VolumePlan.Keep(ObjectKind.VOLUME, there);
    }
    backend.checkParameters(VolumeNames.parameters(create.parameters(), false));
    checkMutable(VolumeNames.parameters(create.parameters(), true));
    Optional<ObjectRecord> begun = entry.flatMap(Records.Entry::record);
    Optional<VolumePlan.Origin> origin =
        create.source().map(s -> origin(s, LockMode.CLONE_SOURCE, begun, turn, records));
    boolean asPlanned = create.size().required() == 0 && begun.isPresent();
    long size = asPlanned ? begun.get().size() : sizes.fresh(create.size(), origin);
    Wanted wanted = new Wanted(ObjectKind.VOLUME, create.name(), size, origin, create.parameters());
    ObjectRecord object = reserve(wanted, entry, turn);
    return new VolumePlan.Make(ObjectKind.VOLUME, object, size, origin, Optional.empty());
  }

  VolumePlan change(ModifyVolume modify, Records records) {
    ObjectRecord volume =
        records
            .find(ObjectKind.VOLUME, modify.volume())
            .flatMap(Records.Entry::record)
            .orElseThrow(() -> NodeVolume.absent(modify.volume()));
    checkComplete(volume);
    checkMutable(modify.parameters());
    TreeMap<String, String> parameters = new TreeMap<>(volume.parameters());
    modify.parameters().forEach((name, value) -> parameters.put(VolumeNames.MUTABLE + name, value));
    return parameters.equals(volume.parameters())
        ? new VolumePlan.Keep(ObjectKind.VOLUME, volume)
        : new VolumePlan.Change(ObjectKind.VOLUME, volume.with(parameters), modify.parameters());
  }

  private void checkMutable(SortedMap<String, String> parameters) {
    if (!parameters.isEmpty()) {
      ImageHandler.able(backend, backend.modification(), "change parameters")
          .checkMutable(parameters);
    }
  }

  /** Those that may change make no difference. */
  private static boolean isSame(SortedMap<String, String> one, SortedMap<String, String> other) {
    return VolumeNames.parameters(one, false).equals(VolumeNames.parameters(other, false));
  }

  VolumePlan snapshot(CreateSnapshot cut, Turn turn, Records records) {
    VolumeSource source = new VolumeSource(VolumeSource.Kind.VOLUME, cut.source());
    Optional<Records.Entry> entry = records.byName(ObjectKind.SNAPSHOT, cut.name());
    if (isComplete(entry, turn)) {
      ObjectRecord there = requireRecord(cut.name(), entry);
      compare(there, there.parameters(), Optional.of(source), records);
      return new VolumePlan.Keep(ObjectKind.SNAPSHOT, there);
    }
    Optional<ObjectRecord> begun = entry.flatMap(Records.Entry::record);
    VolumePlan.Origin origin = origin(source, LockMode.SNAPSHOT_SOURCE, begun, turn, records);
    SortedMap<String, String> parameters =
        begun
            .or(() -> records.find(ObjectKind.VOLUME, cut.source()).flatMap(Records.Entry::record))
            .map(ObjectRecord::parameters)
            .orElseThrow(() -> absent(source));
    long size = begun.map(ObjectRecord::size).orElse(origin.size());
    Wanted wanted =
        new Wanted(ObjectKind.SNAPSHOT, cut.name(), size, Optional.of(origin), parameters);
    ObjectRecord object = reserve(wanted, entry, turn);
    return new VolumePlan.Make(
        ObjectKind.SNAPSHOT, object, size, Optional.of(origin), Optional.empty());
  }

  /** Deletes roll forward: what an interrupted attempt to make or remove it has left goes, too. */
  VolumePlan removal(ObjectKind kind, ObjectRef ref, Records.Entry entry, Turn turn) {
    Wanted nothing =
        new Wanted(kind, ref.text(), 0, Optional.empty(), Collections.emptySortedMap());
    return new VolumePlan.Remove(
        kind, entry.record().orElseGet(() -> blank(nothing, entry.uuid(), turn)), Optional.empty());
  }

  /** Refuses to work with something that is half made or half gone. */
  static void checkComplete(ObjectRecord object) {
    if (object.state() != State.CREATED) {
      throw new EvenkeelException(
          ErrorKind.BUSY,
          object.name()
              + " is "
              + object.state()
              + ": an earlier operation on it has not ended well; repeat that one first");
    }
  }

  static ObjectKind kindOf(VolumeSource.Kind kind) {
    return kind == VolumeSource.Kind.SNAPSHOT ? ObjectKind.SNAPSHOT : ObjectKind.VOLUME;
  }

  /** A record that says complete is believed even when the journal has forgotten about it. */
  private static boolean isComplete(Optional<Records.Entry> entry, Turn turn) {
    return turn.found() instanceof Found.Repeat
        || entry
            .flatMap(Records.Entry::record)
            .filter(record -> record.state() == State.CREATED)
            .isPresent();
  }

  private static ObjectRecord requireRecord(String name, Optional<Records.Entry> entry) {
    ObjectRecord record =
        entry
            .flatMap(Records.Entry::record)
            .orElseThrow(
                () ->
                    new EvenkeelException(
                        ErrorKind.FAILED_PRECONDITION,
                        name + " was completed, and its record is gone: delete it by name"));
    checkComplete(record);
    return record;
  }

  private void compare(
      ObjectRecord there,
      SortedMap<String, String> parameters,
      Optional<VolumeSource> source,
      Records records) {
    if (!isSame(there.parameters(), parameters)) {
      throw taken(there, "other parameters");
    }
    if (there.source().isPresent() != source.isPresent()) {
      throw taken(there, "another source");
    }
    // A source that has gone meanwhile cannot be compared, and makes no other of what was made of
    // it.
    source
        .flatMap(s -> records.find(kindOf(s.kind()), s.ref()).flatMap(Records.Entry::record))
        .map(record -> source.get().kind() + ":" + record.id())
        .filter(text -> !text.equals(there.source().orElse("")))
        .ifPresent(
            text -> {
              throw taken(there, "another source");
            });
  }

  private static EvenkeelException taken(ObjectRecord there, String how) {
    return new EvenkeelException(
        ErrorKind.ALREADY_EXISTS, there.name() + " exists, made with " + how);
  }

  /**
   * What it is made of. An interrupted attempt goes on with the source that it began with, even
   * when that has gone: the acts then find what they have made, or fail and are undone.
   */
  private VolumePlan.Origin origin(
      VolumeSource source,
      LockMode volumeLock,
      Optional<ObjectRecord> begun,
      Turn turn,
      Records records) {
    ObjectKind kind = kindOf(source.kind());
    if (turn.found() instanceof Found.Interrupted && begun.isPresent()) {
      String id = Answers.sourceId(begun.get());
      Optional<ObjectRecord> still =
          records.find(kind, ObjectRef.id(id)).flatMap(Records.Entry::record);
      if (still.isEmpty()) {
        String image = VolumeSettings.image(kind, VolumeId.parse(id).uuid());
        return new VolumePlan.Origin(source.kind(), id, image, 0);
      }
      return origin(source, volumeLock, still.get(), turn);
    }
    ObjectRecord record =
        records
            .find(kind, source.ref())
            .flatMap(Records.Entry::record)
            .orElseThrow(() -> absent(source));
    checkComplete(record);
    return origin(source, volumeLock, record, turn);
  }

  /** Whoever came by id takes the lock of the name, too. */
  private static VolumePlan.Origin origin(
      VolumeSource source, LockMode volumeLock, ObjectRecord record, Turn turn) {
    if (source.ref().by() == ObjectRef.By.ID) {
      turn.lock(
          source.kind() == VolumeSource.Kind.SNAPSHOT
              ? LockKey.of(VolumeLocks.snapshot(record.name()), LockMode.RESTORE_SOURCE)
              : LockKey.of(VolumeLocks.volume(record.name()), volumeLock));
    }
    return new VolumePlan.Origin(source.kind(), record.id(), record.image(), record.size());
  }

  private static EvenkeelException absent(VolumeSource source) {
    return new EvenkeelException(
        ErrorKind.NOT_FOUND,
        "there is no "
            + (source.kind() == VolumeSource.Kind.SNAPSHOT ? "snapshot " : "volume ")
            + source.ref());
  }

  /** What is to be made, whatever it is. */
  private record Wanted(
      ObjectKind kind,
      String name,
      long size,
      Optional<VolumePlan.Origin> origin,
      SortedMap<String, String> parameters) {
    Optional<String> source() {
      return origin.map(VolumePlan.Origin::text);
    }
  }

  private ObjectRecord reserve(Wanted wanted, Optional<Records.Entry> entry, Turn turn) {
    Optional<ObjectRecord> begun = entry.flatMap(Records.Entry::record);
    begun
        .filter(
            r ->
                !r.source().equals(wanted.source()) || !isSame(r.parameters(), wanted.parameters()))
        .ifPresent(
            r -> {
              throw taken(r, "another source or other parameters, and not completed: delete it");
            });
    ObjectRecord object =
        begun.orElseGet(
            () -> blank(wanted, entry.map(Records.Entry::uuid).orElseGet(turn::newId), turn));
    turn.txn().reserve(new NameKey(wanted.kind(), wanted.name()), new NameRecord(object.uuid()));
    turn.txn().reserve(new ObjectKey(wanted.kind(), object.uuid()), object);
    return object;
  }

  private ObjectRecord blank(Wanted wanted, String uuid, Turn turn) {
    return new ObjectRecord(
        ObjectRecord.VERSION,
        uuid,
        settings.id(uuid),
        wanted.name(),
        State.RESERVED,
        VolumeSettings.image(wanted.kind(), uuid),
        Optional.empty(),
        wanted.size(),
        wanted.source(),
        wanted.parameters(),
        turn.transaction(),
        turn.now());
  }
}
