package dev.evenkeel.api.volume;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/**
 * Key of a reservation's second half: the record of an object, by its UUID (operations reference,
 * 1.1).
 *
 * @param kind of the object
 * @param uuid of the object
 */
public record ObjectKey(ObjectKind kind, String uuid) implements Key<ObjectRecord> {
  /** Of volumes. */
  public static final KeyType<ObjectRecord> VOLUMES = typeOf(ObjectKind.VOLUME);

  /** Of snapshots. */
  public static final KeyType<ObjectRecord> SNAPSHOTS = typeOf(ObjectKind.SNAPSHOT);

  /** Of groups. */
  public static final KeyType<ObjectRecord> GROUPS = typeOf(ObjectKind.GROUP);

  private static KeyType<ObjectRecord> typeOf(ObjectKind kind) {
    return KeyType.named(
        kind.directory() + "-by-uuid",
        prefix(kind),
        ObjectRecord.class,
        uuid -> new ObjectKey(kind, uuid));
  }

  private static String prefix(ObjectKind kind) {
    return "/evenkeel/" + kind.directory() + "/by-uuid/";
  }

  @Override
  public String path() {
    return KeyPaths.join(prefix(kind), uuid);
  }

  @Override
  public KeyType<ObjectRecord> type() {
    return switch (kind) {
      case VOLUME -> VOLUMES;
      case SNAPSHOT -> SNAPSHOTS;
      case GROUP -> GROUPS;
    };
  }
}
