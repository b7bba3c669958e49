package dev.evenkeel.api.volume;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;
import java.util.Optional;

/**
 * Key of what is stored of a volume on a node: of its stash, or of one place where it is published.
 *
 * @param volumeId which volume
 * @param node which node
 * @param target absolute path where it is published; empty for the stash
 */
@Experimental("new")
public record MountKey(String volumeId, String node, String target) implements Key<MountRecord> {
  private static final String PREFIX = "/evenkeel/mounts/";
  private static final String STASH = "stash";

  /** All of them. */
  public static final KeyType<MountRecord> TYPE =
      KeyType.of("mounts", PREFIX, MountRecord.class, MountKey::parse);

  /** Of a volume's stash. */
  public static MountKey stash(String volumeId, String node) {
    return new MountKey(volumeId, node, "");
  }

  /** Where everything of a volume on a node lies; for listing. */
  public static String directory(String volumeId, String node) {
    return KeyPaths.join(PREFIX, volumeId, node) + "/";
  }

  private static Optional<Key<MountRecord>> parse(String path) {
    String[] parts = path.substring(PREFIX.length()).split("/", -1);
    if (parts.length != 3) {
      return Optional.empty();
    }
    Optional<String> volume = KeyPaths.unescape(parts[0]);
    Optional<String> node = KeyPaths.unescape(parts[1]);
    Optional<String> target =
        parts[2].equals(STASH) ? Optional.of("") : KeyPaths.unescape(parts[2]);
    return volume.isEmpty() || node.isEmpty() || target.isEmpty()
        ? Optional.empty()
        : Optional.of(new MountKey(volume.get(), node.get(), target.get()));
  }

  /** A target begins with a slash, so that it cannot be taken for the stash. */
  @Override
  public String path() {
    return KeyPaths.join(PREFIX, volumeId, node, target.isEmpty() ? STASH : target);
  }

  @Override
  public KeyType<MountRecord> type() {
    return TYPE;
  }
}
