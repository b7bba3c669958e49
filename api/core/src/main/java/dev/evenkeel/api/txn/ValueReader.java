package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import java.util.List;
import java.util.Optional;

/**
 * Looks at the values of an engine. Implemented by Evenkeel; any thread, never blocks, never waits
 * for the loop: what it shows is the state after some transaction, never in the middle of one.
 */
public interface ValueReader {
  /** Where a base value stands; {@link ValueState#NONEXISTENT} when nobody knows it. */
  ValueStatus status(Key<?> key);

  /** All base values whose path starts with the prefix, ordered by path. */
  List<ValueStatus> statuses(String prefix);

  /** The desired value. */
  <V> Optional<V> desired(Key<V> key);

  /** The applied value. */
  <V> Optional<V> applied(Key<V> key);

  /** All applied values of a kind, ordered by path. */
  <V> List<KeyedValue<V>> allApplied(KeyType<V> type);

  /** The metadata of an applied value, as an instance of the given class. */
  <M> Optional<M> metadata(Key<?> key, Class<M> type);

  /** Paths of the values that have the entry in a descriptor's secondary index, ordered. */
  @Experimental
  List<String> findByIndex(String descriptor, String index, String entry);
}
