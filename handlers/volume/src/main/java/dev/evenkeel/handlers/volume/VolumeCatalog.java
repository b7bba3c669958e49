package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.volume.AttachmentKey;
import dev.evenkeel.api.volume.AttachmentRecord;
import dev.evenkeel.api.volume.GroupSnapshot;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.Snapshot;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.api.volume.VolumeId;
import dev.evenkeel.api.volume.VolumeNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What is stored of volumes, snapshots, groups and attachments, for those who ask: read from the
 * datastore, never through the loop (JT-20). Only what is complete is shown. Any thread but the
 * loop's; blocks; throws what the datastore throws.
 */
@Experimental("new")
public final class VolumeCatalog {
  private final BlockingDatastore store;
  private final VolumeSettings settings;

  private VolumeCatalog(BlockingDatastore store, VolumeSettings settings) {
    this.store = store;
    this.settings = settings;
  }

  /** Over the datastore that the loop has, with the settings that its handlers have. */
  public static VolumeCatalog of(Datastore store, VolumeSettings settings) {
    return new VolumeCatalog(store.blocking(), settings);
  }

  /**
   * Part of a list.
   *
   * @param items in a fixed order
   * @param next what to give as {@code after} for the rest; empty when there is none
   */
  public record Page<T>(List<T> items, String next) {
    /** Copies the items. */
    public Page {
      items = List.copyOf(items);
    }
  }

  /** A volume; empty when there is none of that id. */
  public Optional<Volume> volume(String id) {
    return find(ObjectKind.VOLUME, id).map(Answers::volume);
  }

  /** A snapshot; empty when there is none of that id. */
  public Optional<Snapshot> snapshot(String id) {
    return find(ObjectKind.SNAPSHOT, id).map(Answers::snapshot);
  }

  /** A group with its members; empty when there is none of that id. */
  public Optional<GroupSnapshot> group(String id) {
    return find(ObjectKind.GROUP, id)
        .map(record -> Answers.group(record, uuid -> stored(ObjectKind.SNAPSHOT, uuid)));
  }

  /** The parameters that may change, of a volume; empty when there is no such volume. */
  public Optional<SortedMap<String, String>> mutable(String id) {
    return find(ObjectKind.VOLUME, id).map(r -> VolumeNames.parameters(r.parameters(), true));
  }

  /**
   * Volumes behind a token, in a fixed order: what is not made or removed meanwhile is shown once.
   *
   * @param after empty, or what the page before gave as next
   * @param most how many; 0 for all
   */
  public Page<Volume> volumes(String after, int most) {
    return page(ObjectKey.VOLUMES, after, most, record -> true, Answers::volume);
  }

  /** The same of snapshots, all of them or those of one volume. */
  public Page<Snapshot> snapshots(Optional<String> sourceId, String after, int most) {
    return page(
        ObjectKey.SNAPSHOTS,
        after,
        most,
        record -> sourceId.isEmpty() || Answers.sourceId(record).equals(sourceId.get()),
        Answers::snapshot);
  }

  /** The nodes from which a volume can be reached, those included where that is not certain. */
  public List<AttachmentRecord> attachments(String volumeId) {
    return values(ListOptions.inside(AttachmentKey.TYPE, volumeId));
  }

  /** Every attachment of every volume. */
  public List<AttachmentRecord> attachments() {
    return values(ListOptions.all(AttachmentKey.TYPE));
  }

  private Optional<ObjectRecord> find(ObjectKind kind, String id) {
    return VolumeId.tryParse(id)
        .filter(settings::issued)
        .flatMap(parsed -> stored(kind, parsed.uuid()));
  }

  private Optional<ObjectRecord> stored(ObjectKind kind, String uuid) {
    return store
        .find(new ObjectKey(kind, uuid), Call.usual())
        .flatMap(KeyValue::value)
        .filter(VolumeCatalog::isShown);
  }

  private static boolean isShown(ObjectRecord record) {
    return record.version() <= ObjectRecord.VERSION && record.state() == ObjectRecord.State.CREATED;
  }

  private <T> Page<T> page(
      KeyType<ObjectRecord> type,
      String after,
      int most,
      Predicate<ObjectRecord> wanted,
      Function<ObjectRecord, T> shown) {
    List<T> items = new ArrayList<>();
    String last = "";
    for (KeyValue<ObjectRecord> pair : store.list(ListOptions.all(type), Call.usual()).items()) {
      Optional<ObjectRecord> record = pair.value().filter(VolumeCatalog::isShown).filter(wanted);
      String uuid = uuidOf(pair.key());
      if (record.isEmpty() || (!after.isEmpty() && uuid.compareTo(after) <= 0)) {
        continue;
      }
      if (most > 0 && items.size() == most) {
        return new Page<>(items, last);
      }
      items.add(shown.apply(record.get()));
      last = uuid;
    }
    return new Page<>(items, "");
  }

  private static String uuidOf(Key<ObjectRecord> key) {
    return ((ObjectKey) key).uuid();
  }

  private <V> List<V> values(ListOptions<V> options) {
    List<V> found = new ArrayList<>();
    store.list(options, Call.usual()).items().forEach(pair -> pair.value().ifPresent(found::add));
    return List.copyOf(found);
  }
}
