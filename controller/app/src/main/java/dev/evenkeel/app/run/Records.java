package dev.evenkeel.app.run;

import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.txn.operation.OpenKey;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the store holds of volumes and snapshots at one moment.
 *
 * @param volumes by UUID
 * @param snapshots by UUID
 * @param volumeNames name to UUID
 * @param snapshotNames name to UUID
 * @param begun operations that have begun and not ended: kind and subject
 */
record Records(
    SortedMap<String, ObjectRecord> volumes,
    SortedMap<String, ObjectRecord> snapshots,
    SortedMap<String, String> volumeNames,
    SortedMap<String, String> snapshotNames,
    List<String> begun) {

  /** Reads them. Blocks. */
  static Records in(Datastore store) {
    return new Records(
        objects(store, ObjectKey.VOLUMES),
        objects(store, ObjectKey.SNAPSHOTS),
        names(store, NameKey.VOLUMES),
        names(store, NameKey.SNAPSHOTS),
        begun(store));
  }

  /** As the input of a resync. */
  InputState asInput() {
    List<KeyedValue<?>> values = new ArrayList<>();
    volumes.forEach(
        (uuid, record) ->
            values.add(new KeyedValue<>(new ObjectKey(ObjectKind.VOLUME, uuid), record)));
    snapshots.forEach(
        (uuid, record) ->
            values.add(new KeyedValue<>(new ObjectKey(ObjectKind.SNAPSHOT, uuid), record)));
    return InputState.of(values);
  }

  /** Those of one kind. */
  SortedMap<String, ObjectRecord> of(ObjectKind kind) {
    return kind == ObjectKind.VOLUME ? volumes : snapshots;
  }

  /** Names of one kind, with what they lead to. */
  SortedMap<String, String> namesOf(ObjectKind kind) {
    return kind == ObjectKind.VOLUME ? volumeNames : snapshotNames;
  }

  private static SortedMap<String, ObjectRecord> objects(
      Datastore store, KeyType<ObjectRecord> type) {
    SortedMap<String, ObjectRecord> found = new TreeMap<>();
    for (KeyValue<ObjectRecord> pair : all(store, type)) {
      pair.value().ifPresent(record -> found.put(record.uuid(), record));
    }
    return found;
  }

  private static SortedMap<String, String> names(Datastore store, KeyType<NameRecord> type) {
    SortedMap<String, String> found = new TreeMap<>();
    for (KeyValue<NameRecord> pair : all(store, type)) {
      String name = pair.key() instanceof NameKey key ? key.name() : pair.key().path();
      pair.value().ifPresent(record -> found.put(name, record.uuid()));
    }
    return found;
  }

  private static List<String> begun(Datastore store) {
    return all(store, OpenKey.TYPE).stream()
        .flatMap(pair -> pair.value().stream())
        .map(intent -> intent.kind() + " of " + intent.subject())
        .toList();
  }

  private static <V> List<KeyValue<V>> all(Datastore store, KeyType<V> type) {
    return store.blocking().list(ListOptions.all(type), Call.usual()).items();
  }
}
