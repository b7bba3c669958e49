package dev.evenkeel.api.txn;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How values of one kind are applied to the outside. Implemented by users, one per key type
 * (transactions reference, B1).
 *
 * <p>{@code same}, {@code validate}, {@code derived}, {@code dependencies}, {@code merge} and
 * {@code index} are pure functions of their arguments, called on the loop; the rest may block and
 * is called on a worker, unless {@link #inline()} says that it is quick. For one key there is never
 * more than one call at a time. An exception is a failed operation.
 *
 * <p>Metadata belong to base values: of a derived value that a retrieve has found, and of no other,
 * a callback is given null. A value of the outside that is known by a notification alone is
 * retrieved before it is changed; a descriptor without a retriever changes it only if it has {@link
 * NoMetadata}.
 *
 * @param <V> type of the values; immutable
 * @param <M> type of the metadata that the outside gives; {@link NoMetadata} when it gives none
 */
public interface Descriptor<V, M> {
  /** Unique among the descriptors of an engine. */
  String name();

  /** Which keys it describes: those of this type, and no other descriptor describes any of them. */
  KeyType<V> type();

  /** Whether two values mean the same to the outside. */
  default boolean same(Key<V> key, V a, V b) {
    return a.equals(b);
  }

  /**
   * What is wrong with a value; an invalid value is not applied, and an applied one stays as it is.
   */
  default List<InvalidField> validate(Key<V> key, V value) {
    return List.of();
  }

  /** Values that exist because this one does; they cannot derive further. */
  default List<KeyedValue<?>> derived(Key<V> key, V value) {
    return List.of();
  }

  /** What must be there first. Until then the value is pending, which is no error. */
  default List<Dependency> dependencies(Key<V> key, V value) {
    return List.of();
  }

  /**
   * One value out of several sources', highest priority first; by default the first replaces the
   * others (JT-15).
   */
  default V merge(Key<V> key, List<V> byPriority) {
    return byPriority.get(0);
  }

  /** Secondary indexes over metadata: index name to the entries that a value has in it. */
  default SortedMap<String, List<String>> index(Key<V> key, M metadata) {
    return new TreeMap<>();
  }

  /** Makes it. Must say what went wrong by throwing. */
  M create(Key<V> key, V value, StepContext context) throws Exception;

  /** Removes it; something absent counts as success. */
  void delete(Key<V> key, V value, M metadata, StepContext context) throws Exception;

  /** How to change a value in place; absent means that every change is a delete and a create. */
  default Optional<Updater<V, M>> updater() {
    return Optional.empty();
  }

  /** How to read what is really there; absent means that resyncs trust what was applied. */
  default Optional<Retriever<V, M>> retriever() {
    return Optional.empty();
  }

  /** Names of the descriptors whose values must be retrieved before these. */
  default Set<String> retrieveAfter() {
    return Set.of();
  }

  /** Whether an operation that failed like this is worth trying again. */
  default boolean retriable(Exception failure) {
    return true;
  }

  /** Whether the callbacks are quick enough (microseconds) to run on the loop thread. */
  default boolean inline() {
    return false;
  }

  /** How long to wait for each callback; absent means the loop's default. */
  default Optional<Duration> limit() {
    return Optional.empty();
  }
}
