package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.Snapshot;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.api.volume.VolumeSource;

/** Turns records into answers: one way for all requests, so that a repeat answers the same. */
final class Answers {
  private Answers() {}

  static Volume volume(ObjectRecord record) {
    return new Volume(
        record.id(), record.name(), record.size(), record.source().map(t -> source(record, t)));
  }

  static Snapshot snapshot(ObjectRecord record) {
    String volume = record.source().map(t -> source(record, t).ref().text()).orElse("");
    return new Snapshot(record.id(), record.name(), volume, record.size(), record.created(), true);
  }

  private static VolumeSource source(ObjectRecord record, String text) {
    for (VolumeSource.Kind kind : VolumeSource.Kind.values()) {
      String prefix = kind + ":";
      if (text.startsWith(prefix)) {
        return new VolumeSource(kind, ObjectRef.id(text.substring(prefix.length())));
      }
    }
    throw new EvenkeelException(
        ErrorKind.INTERNAL, "the record of " + record.name() + " names no readable source");
  }
}
