package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/**
 * Key of a subject's {@link DoneRecord}. Pure; any thread.
 *
 * @param subject of the operation
 */
public record DoneKey(String subject) implements Key<DoneRecord> {
  /** The kind of these keys. */
  public static final KeyType<DoneRecord> TYPE =
      KeyType.named("journal-done", "/evenkeel/journal/done/", DoneRecord.class, DoneKey::new);

  @Override
  public String path() {
    return KeyPaths.join(TYPE.prefix(), subject);
  }

  @Override
  public KeyType<DoneRecord> type() {
    return TYPE;
  }
}
