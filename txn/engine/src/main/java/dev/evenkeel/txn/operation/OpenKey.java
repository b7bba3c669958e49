package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/**
 * Key of a subject's {@link OpenRecord}. Pure; any thread.
 *
 * @param subject of the operation
 */
public record OpenKey(String subject) implements Key<OpenRecord> {
  /** The kind of these keys. */
  public static final KeyType<OpenRecord> TYPE =
      KeyType.named("journal-open", "/evenkeel/journal/open/", OpenRecord.class, OpenKey::new);

  @Override
  public String path() {
    return KeyPaths.join(TYPE.prefix(), subject);
  }

  @Override
  public KeyType<OpenRecord> type() {
    return TYPE;
  }
}
