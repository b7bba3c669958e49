package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.VolumeSource;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What {@code reservation} has decided to do about a request, for the handlers behind it, an
 * author's own included. Lives in a state map from {@code reservation} to {@code state}, within one
 * turn. Immutable.
 */
public sealed interface VolumePlan {
  /** Whether it is about a volume or a snapshot. */
  ObjectKind kind();

  /** Its record: as it is stored, or as it is being reserved. */
  ObjectRecord object();

  /**
   * It is to be made.
   *
   * @param size bytes, rounded
   * @param origin what it is made of; for a snapshot, its volume
   * @param image what the backend's last act will give; present once {@code image} has run
   */
  record Make(
      ObjectKind kind,
      ObjectRecord object,
      long size,
      Optional<Origin> origin,
      Optional<Ref<Image>> image)
      implements VolumePlan {}

  /** It is as it is wanted already: the answer comes from its record, and nothing is done. */
  record Keep(ObjectKind kind, ObjectRecord object) implements VolumePlan {}

  /**
   * It is to grow.
   *
   * @param size bytes, rounded
   * @param image what the backend's act will give; present once {@code image} has run
   */
  record Grow(ObjectKind kind, ObjectRecord object, long size, Optional<Ref<Image>> image)
      implements VolumePlan {}

  /**
   * Parameters of it change.
   *
   * @param object its record as it will be
   * @param parameters those that change, without their prefix
   */
  @Experimental("new")
  record Change(ObjectKind kind, ObjectRecord object, SortedMap<String, String> parameters)
      implements VolumePlan {
    /** Copies the parameters. */
    public Change {
      parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }
  }

  /**
   * It is to go, with its records.
   *
   * @param removal what the backend's last act will give; present once {@code image} has run
   */
  record Remove(ObjectKind kind, ObjectRecord object, Optional<Ref<Done>> removal)
      implements VolumePlan {}

  /**
   * What something is made of.
   *
   * @param id of the source
   * @param image the source's image
   * @param size the source's bytes; 0 when its record is gone
   */
  record Origin(VolumeSource.Kind kind, String id, String image, long size) {
    /** As it is stored. */
    String text() {
      return kind + ":" + id;
    }
  }

  /**
   * What has been decided about a request; empty before {@code reservation} and after {@code state}
   * have run, and when there is neither anything to do nor a record to answer from. Loop thread, in
   * a handler's call.
   */
  static Optional<VolumePlan> find(Turn turn, UpdateEvent event) {
    return Plans.find(turn, event);
  }
}
