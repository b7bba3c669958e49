package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKey;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The kinds of key that a codec may meet, by name and by prefix. Made by whoever configures a
 * codec; immutable, any thread.
 */
public final class KeyTypes {
  /** None. */
  public static final KeyTypes NONE = new KeyTypes(java.util.List.of());

  private final TreeMap<String, KeyType<?>> byName = new TreeMap<>();
  private final TreeMap<String, KeyType<?>> byPrefix = new TreeMap<>();

  private KeyTypes(Collection<? extends KeyType<?>> types) {
    for (KeyType<?> type : types) {
      KeyType<?> same = byName.putIfAbsent(type.name(), type);
      KeyType<?> there = byPrefix.putIfAbsent(type.prefix(), type);
      if ((same != null && !same.equals(type)) || (there != null && !there.equals(type))) {
        throw InvalidInputException.of(
            "key types", type.name(), type.prefix(), "has the name or prefix of another kind");
      }
    }
  }

  /** Those kinds. */
  public static KeyTypes of(KeyType<?>... types) {
    return new KeyTypes(Arrays.asList(types));
  }

  /** Those of volumes, snapshots and groups, and the given ones. */
  public static KeyTypes withVolumes(KeyType<?>... more) {
    var all =
        new java.util.ArrayList<KeyType<?>>(
            java.util.List.of(
                NameKey.VOLUMES,
                NameKey.SNAPSHOTS,
                NameKey.GROUPS,
                ObjectKey.VOLUMES,
                ObjectKey.SNAPSHOTS,
                ObjectKey.GROUPS));
    all.addAll(Arrays.asList(more));
    return new KeyTypes(all);
  }

  /** The kind of that name. */
  public Optional<KeyType<?>> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** The key of a path, by the kind with the longest prefix of it. */
  public Optional<Key<?>> parse(String path) {
    Map.Entry<String, KeyType<?>> entry = byPrefix.floorEntry(path);
    while (entry != null && !path.startsWith(entry.getKey())) {
      entry = byPrefix.lowerEntry(entry.getKey());
    }
    return entry == null ? Optional.empty() : entry.getValue().parse(path).map(key -> key);
  }

  boolean knows(KeyType<?> type) {
    return named(type.name()).filter(type::equals).isPresent();
  }
}
