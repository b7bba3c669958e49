package dev.evenkeel.store.rados;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * Which object holds what. Names and objects of volumes, snapshots and groups lie as ceph-csi lays
 * them (operations reference, 1.1): the names of a kind in one directory object, each object's
 * record in an object of its own. Of every other kind, all records are in a directory object.
 * Directory objects can be several: which one decides the first name of a path, so that what
 * belongs to one parent lies together. Pure; any thread.
 */
final class Layout {
  /** Beginnings of the names of all objects that are the store's. */
  static final List<String> OWN = List.of("csi.", "evenkeel");

  private static final int LONGEST_PATH = 2_048;
  private static final SortedMap<String, String> NO_NAMES = Collections.emptySortedMap();

  private final RadosSettings settings;

  Layout(RadosSettings settings) {
    this.settings = settings;
  }

  /** Where the epoch is that is the newest known. */
  Home fence() {
    return new Home(settings.pool(), "evenkeel.fence." + settings.instance());
  }

  <V> Spot spot(Key<V> key) {
    String path = checked(key.path());
    if (key instanceof NameKey name) {
      String prefix = named(name.kind()).entry + checked(name.name());
      SortedMap<String, String> fixed = new TreeMap<>();
      fixed.put("uuid", prefix);
      return new Spot(directory(key.type(), name.name()), path, prefix, fixed, false);
    }
    if (key instanceof ObjectKey object) {
      return objectSpot(object.kind(), object.uuid(), path);
    }
    String rest = rest(key.type(), path);
    return new Spot(directory(key.type(), first(rest)), path, rest, NO_NAMES, false);
  }

  /** Whether each record of the kind has an object of its own. */
  static boolean isObjects(KeyType<?> type) {
    return objects(type).isPresent();
  }

  /** What the names of the objects of such a kind begin with. */
  String objectPrefix(KeyType<?> type) {
    return named(objects(type).orElseThrow()).entry;
  }

  /**
   * The path of the record that an object is, by its name; the groups' begin as the volumes' do.
   */
  Optional<String> pathOfObject(KeyType<?> type, String object) {
    String entry = objectPrefix(type);
    boolean other =
        objects(type).equals(Optional.of(ObjectKind.VOLUME))
            && object.startsWith(named(ObjectKind.GROUP).entry);
    return object.startsWith(entry) && object.length() > entry.length() && !other
        ? Optional.of(
            new ObjectKey(objects(type).orElseThrow(), object.substring(entry.length())).path())
        : Optional.empty();
  }

  /** The directory objects of a kind that may hold what begins with a path. */
  List<Home> directories(KeyType<?> type, String root) {
    String rest = rest(type, root);
    if (isObjects(type)) {
      return List.of(shard(type, 0));
    }
    if (names(type).isEmpty() && rest.indexOf('/') > 0) {
      return List.of(directory(type, first(rest)));
    }
    List<Home> all = new ArrayList<>();
    for (int shard = 0; shard < settings.shards(); shard++) {
      all.add(shard(type, shard));
    }
    return all;
  }

  /** The object whose watchers are told of a change of a path in a home. */
  Home bell(Home home, String path) {
    for (KeyType<?> type : List.of(ObjectKey.VOLUMES, ObjectKey.SNAPSHOTS, ObjectKey.GROUPS)) {
      if (path.startsWith(type.prefix())) {
        return shard(type, 0);
      }
    }
    return home;
  }

  /** What the keys of records begin with in a directory object, below a root. */
  String keyPrefix(KeyType<?> type, String root) {
    return names(type).map(kind -> named(kind).entry).orElseGet(() -> rest(type, root));
  }

  /** The path of the record that an OMAP key of a directory object belongs to. */
  Optional<String> pathOf(KeyType<?> type, String omapKey) {
    int tab = omapKey.indexOf(Spot.TAB);
    String record = tab < 0 ? omapKey : omapKey.substring(0, tab);
    Optional<ObjectKind> kind = names(type);
    if (kind.isEmpty()) {
      return tab <= 0 ? Optional.empty() : Optional.of(type.prefix() + record);
    }
    String entry = named(kind.get()).entry;
    return record.startsWith(entry) && record.length() > entry.length()
        ? Optional.of(new NameKey(kind.get(), record.substring(entry.length())).path())
        : Optional.empty();
  }

  /** The path below a kind's prefix. */
  static String rest(KeyType<?> type, String path) {
    if (!path.startsWith(type.prefix())) {
      throw InvalidInputException.of("key", "path", path, "must begin with " + type.prefix());
    }
    return path.substring(type.prefix().length());
  }

  private Spot objectSpot(ObjectKind kind, String uuid, String path) {
    Named named = named(kind);
    Home home = new Home(poolOf(kind), named.entry + checked(uuid));
    return new Spot(home, path, "evenkeel", named.fields, true);
  }

  private String poolOf(ObjectKind kind) {
    return settings.poolOf(
        switch (kind) {
          case VOLUME -> ObjectKey.VOLUMES.name();
          case SNAPSHOT -> ObjectKey.SNAPSHOTS.name();
          case GROUP -> ObjectKey.GROUPS.name();
        });
  }

  private Home directory(KeyType<?> type, String name) {
    if (settings.shards() == 1) {
      return shard(type, 0);
    }
    CRC32 sum = new CRC32();
    sum.update(name.getBytes(StandardCharsets.UTF_8));
    return shard(type, (int) (sum.getValue() % settings.shards()));
  }

  private Home shard(KeyType<?> type, int shard) {
    Optional<ObjectKind> kind = names(type).or(() -> objects(type));
    String object =
        kind.map(k -> named(k).directory)
                .orElseGet(() -> "evenkeel" + type.prefix().replace('/', '.'))
            + (kind.isPresent() ? "." : "")
            + settings.instance()
            + (settings.shards() == 1 ? "" : "." + shard);
    return new Home(settings.poolOf(type.name()), object);
  }

  private static String first(String rest) {
    int end = rest.indexOf('/');
    return end < 0 ? rest : rest.substring(0, end);
  }

  private static String checked(String text) {
    if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) {
      throw InvalidInputException.of(
          "key", "path", text.substring(0, 80), "must have at most " + LONGEST_PATH + " bytes");
    }
    if (text.chars().anyMatch(c -> c < ' ')) {
      throw InvalidInputException.of("key", "path", "", "must have no control characters");
    }
    return text;
  }

  private static Optional<ObjectKind> names(KeyType<?> type) {
    return type.equals(NameKey.VOLUMES)
        ? Optional.of(ObjectKind.VOLUME)
        : type.equals(NameKey.SNAPSHOTS)
            ? Optional.of(ObjectKind.SNAPSHOT)
            : type.equals(NameKey.GROUPS) ? Optional.of(ObjectKind.GROUP) : Optional.empty();
  }

  private static Optional<ObjectKind> objects(KeyType<?> type) {
    return type.equals(ObjectKey.VOLUMES)
        ? Optional.of(ObjectKind.VOLUME)
        : type.equals(ObjectKey.SNAPSHOTS)
            ? Optional.of(ObjectKind.SNAPSHOT)
            : type.equals(ObjectKey.GROUPS) ? Optional.of(ObjectKind.GROUP) : Optional.empty();
  }

  /** Ceph-csi's names for a kind: directory, beginning of entries and objects, fields. */
  private record Named(String directory, String entry, SortedMap<String, String> fields) {}

  private static Named named(ObjectKind kind) {
    return switch (kind) {
      case VOLUME ->
          new Named("csi.volumes", "csi.volume.", fields("csi.volname", "csi.imagename"));
      case SNAPSHOT -> new Named("csi.snaps", "csi.snap.", fields("csi.snapname", "csi.imagename"));
      case GROUP ->
          new Named("csi.groups", "csi.volume.group.", fields("csi.volname", "csi.groupname"));
    };
  }

  private static SortedMap<String, String> fields(String name, String image) {
    SortedMap<String, String> all = new TreeMap<>();
    all.put("name", name);
    all.put("image", image);
    all.put("imageId", "csi.imageid");
    if (name.equals("csi.snapname")) {
      all.put("source", "csi.source");
    }
    return Collections.unmodifiableSortedMap(all);
  }
}
