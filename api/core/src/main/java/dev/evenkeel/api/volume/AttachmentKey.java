package dev.evenkeel.api.volume;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;
import java.util.Optional;

/**
 * Key of what is stored of a volume that is reachable from a node.
 *
 * @param volumeId which volume
 * @param node which node
 */
@Experimental("new")
public record AttachmentKey(String volumeId, String node) implements Key<AttachmentRecord> {
  private static final String PREFIX = "/evenkeel/attachments/";

  /** All of them. */
  public static final KeyType<AttachmentRecord> TYPE =
      KeyType.of("attachments", PREFIX, AttachmentRecord.class, AttachmentKey::parse);

  private static Optional<Key<AttachmentRecord>> parse(String path) {
    String[] parts = path.substring(PREFIX.length()).split("/", -1);
    if (parts.length != 2) {
      return Optional.empty();
    }
    Optional<String> volume = KeyPaths.unescape(parts[0]);
    Optional<String> node = KeyPaths.unescape(parts[1]);
    return volume.isEmpty() || node.isEmpty()
        ? Optional.empty()
        : Optional.of(new AttachmentKey(volume.get(), node.get()));
  }

  @Override
  public String path() {
    return KeyPaths.join(PREFIX, volumeId, node);
  }

  @Override
  public KeyType<AttachmentRecord> type() {
    return TYPE;
  }
}
