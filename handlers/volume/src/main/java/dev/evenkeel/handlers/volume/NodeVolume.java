package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.VolumeId;
import java.util.Optional;

/**
 * The volume that a request of a node is about. An id says enough, since the image's name follows
 * from it: a node's own datastore need not have the controller's records.
 *
 * @param id of the volume
 * @param name that it was requested under, where its record can be read
 * @param image name of its image
 */
record NodeVolume(String id, Optional<String> name, String image) {
  /** Empty when there is none of that name, or the id is none of ours. */
  static Optional<NodeVolume> find(VolumeSettings settings, Records records, ObjectRef ref) {
    Optional<ObjectRecord> record =
        records.find(ObjectKind.VOLUME, ref).flatMap(Records.Entry::record);
    if (record.isPresent()) {
      ObjectRecord volume = record.get();
      return Optional.of(new NodeVolume(volume.id(), Optional.of(volume.name()), volume.image()));
    }
    if (ref.by() == ObjectRef.By.NAME) {
      return Optional.empty();
    }
    return VolumeId.tryParse(ref.text())
        .filter(settings::issued)
        .map(
            id ->
                new NodeVolume(
                    ref.text(),
                    Optional.empty(),
                    VolumeSettings.image(ObjectKind.VOLUME, id.uuid())));
  }

  static EvenkeelException absent(ObjectRef ref) {
    return new EvenkeelException(ErrorKind.NOT_FOUND, "there is no volume " + ref);
  }
}
