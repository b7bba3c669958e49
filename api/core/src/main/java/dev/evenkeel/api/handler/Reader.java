package dev.evenkeel.api.handler;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import java.util.List;
import java.util.Optional;

/**
 * Reads the datastore for an operation, on a worker; blocks. Implemented by Evenkeel. Everything
 * read is kept, recorded, and given to the handlers by {@link Turn#loaded}.
 */
public interface Reader {
  /** The stored value of a key. */
  <V> Optional<V> read(Key<V> key);

  /** All stored values of a kind whose path starts with the given prefix, ordered by path. */
  <V> List<KeyedValue<V>> list(KeyType<V> type, String pathPrefix);

  /**
   * Says that the operation's subject is really that one: an id has been resolved to a name, as a
   * rule. The journal is read there, and the lock that the event holds on the old subject is taken
   * on this one, too, before PLAN, or the event is refused.
   */
  void subject(String canonical);
}
