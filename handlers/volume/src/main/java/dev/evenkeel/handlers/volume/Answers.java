package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.volume.GroupSnapshot;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.Snapshot;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.api.volume.VolumeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Turns records into answers: one way for all requests, so that a repeat answers the same. */
final class Answers {
  private Answers() {}

  static Volume volume(ObjectRecord record) {
    return new Volume(record.id(), record.name(), record.size(), source(record));
  }

  static Snapshot snapshot(ObjectRecord record) {
    return new Snapshot(
        record.id(), record.name(), sourceId(record), record.size(), record.created(), true);
  }

  /** Its members by the UUIDs in its record; one that has gone is left out. */
  static GroupSnapshot group(
      ObjectRecord record, Function<String, Optional<ObjectRecord>> snapshots) {
    List<Snapshot> members = new ArrayList<>();
    record
        .parameters()
        .forEach(
            (source, uuid) -> snapshots.apply(uuid).map(Answers::snapshot).ifPresent(members::add));
    return new GroupSnapshot(record.id(), record.name(), members, record.created());
  }

  /** Id of what it is a copy of; a record that should have one and has none is damaged. */
  static String sourceId(ObjectRecord record) {
    return source(record).map(source -> source.ref().text()).orElseThrow(() -> damaged(record));
  }

  /** What it is a copy of. */
  static Optional<VolumeSource> source(ObjectRecord record) {
    return record.source().map(text -> source(record, text));
  }

  private static VolumeSource source(ObjectRecord record, String text) {
    for (VolumeSource.Kind kind : VolumeSource.Kind.values()) {
      String prefix = kind + ":";
      if (text.startsWith(prefix)) {
        return new VolumeSource(kind, ObjectRef.id(text.substring(prefix.length())));
      }
    }
    throw damaged(record);
  }

  private static EvenkeelException damaged(ObjectRecord record) {
    return new EvenkeelException(
        ErrorKind.INTERNAL, "the record of " + record.name() + " names no readable source");
  }
}
