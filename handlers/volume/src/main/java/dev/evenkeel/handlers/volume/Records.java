package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.VolumeId;
import java.util.Optional;

/**
 * Finds the records of an object. The loader and the plan use it alike, the one reading the
 * datastore, the other what was loaded, so that both look at the same keys.
 */
final class Records {
  /** Where to read: the datastore, or what was loaded from it. */
  interface Lookup {
    <V> Optional<V> get(Key<V> key);
  }

  /**
   * What is stored of an object.
   *
   * @param uuid its own
   * @param record absent when an interrupted reservation or removal has left only the name
   */
  record Entry(String uuid, Optional<ObjectRecord> record) {}

  private final VolumeSettings settings;
  private final Lookup lookup;

  Records(VolumeSettings settings, Lookup lookup) {
    this.settings = settings;
    this.lookup = lookup;
  }

  Optional<Entry> find(ObjectKind kind, ObjectRef ref) {
    return ref.by() == ObjectRef.By.NAME ? byName(kind, ref.text()) : byId(kind, ref.text());
  }

  Optional<Entry> byName(ObjectKind kind, String name) {
    Optional<NameRecord> named = lookup.get(new NameKey(kind, name));
    if (named.isEmpty()) {
      return Optional.empty();
    }
    String uuid = named.get().uuid();
    Optional<ObjectRecord> record = known(lookup.get(new ObjectKey(kind, uuid)));
    if (record.isPresent() && !record.get().name().equals(name)) {
      throw new EvenkeelException(
          ErrorKind.FAILED_PRECONDITION,
          "the name "
              + name
              + " leads to an object whose record names another: inconsistent, left as it is");
    }
    return Optional.of(new Entry(uuid, record));
  }

  private Optional<Entry> byId(ObjectKind kind, String text) {
    Optional<VolumeId> id = VolumeId.tryParse(text).filter(settings::issued);
    if (id.isEmpty()) {
      return Optional.empty();
    }
    String uuid = id.get().uuid();
    Optional<ObjectRecord> record = known(lookup.get(new ObjectKey(kind, uuid)));
    if (record.isEmpty()) {
      return Optional.empty();
    }
    // Read for those who remove it: by now the name may lead to another.
    Optional<NameRecord> unused = lookup.get(new NameKey(kind, record.get().name()));
    return Optional.of(new Entry(uuid, record));
  }

  private static Optional<ObjectRecord> known(Optional<ObjectRecord> record) {
    if (record.isPresent() && record.get().version() > ObjectRecord.VERSION) {
      throw new EvenkeelException(
          ErrorKind.FAILED_PRECONDITION,
          "the record of "
              + record.get().name()
              + " was written by a newer version ("
              + record.get().version()
              + "): left as it is");
    }
    return record;
  }
}
