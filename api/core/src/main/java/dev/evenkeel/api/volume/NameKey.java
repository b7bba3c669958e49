package dev.evenkeel.api.volume;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/**
 * Key of a reservation's first half: the name of a request leads to the UUID of its object
 * (operations reference, 1.1).
 *
 * @param kind of the object
 * @param name of the request
 */
public record NameKey(ObjectKind kind, String name) implements Key<NameRecord> {
  /** Of volumes. */
  public static final KeyType<NameRecord> VOLUMES = typeOf(ObjectKind.VOLUME);

  /** Of snapshots. */
  public static final KeyType<NameRecord> SNAPSHOTS = typeOf(ObjectKind.SNAPSHOT);

  /** Of groups. */
  public static final KeyType<NameRecord> GROUPS = typeOf(ObjectKind.GROUP);

  private static KeyType<NameRecord> typeOf(ObjectKind kind) {
    return KeyType.named(
        kind.directory() + "-by-name",
        prefix(kind),
        NameRecord.class,
        name -> new NameKey(kind, name));
  }

  private static String prefix(ObjectKind kind) {
    return "/evenkeel/" + kind.directory() + "/by-name/";
  }

  @Override
  public String path() {
    return KeyPaths.join(prefix(kind), name);
  }

  @Override
  public KeyType<NameRecord> type() {
    return switch (kind) {
      case VOLUME -> VOLUMES;
      case SNAPSHOT -> SNAPSHOTS;
      case GROUP -> GROUPS;
    };
  }
}
