package dev.evenkeel.datastore;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.ConversionException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.SyncerOptions.UpdateProcessor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The usual processors of a syncer: one pair into one other, many into one, one into many.
 * (Datastore reference, section 7.)
 *
 * <p>Made by whoever makes {@code SyncerOptions}; each is for one syncer, on its thread. The
 * functions get pairs with a value only; they may not block.
 */
@Experimental
public final class Processors {
  private Processors() {}

  /**
   * One pair into one other, or none.
   *
   * @param from the kind that comes in
   * @param key which key a source gives, also when it is deleted
   * @param value what it gives; empty for nothing, which is a delete if something was there. What
   *     it throws counts as nothing, and is logged
   */
  public static <V, T> UpdateProcessor<V> converting(
      KeyType<V> from, Function<Key<V>, Key<T>> key, Function<KeyValue<V>, Optional<T>> value) {
    return new Converting<>(from, key, value);
  }

  /**
   * Many sources into one target: of all that give one key, the source whose path is lowest wins,
   * and the next one takes its place when it goes.
   *
   * @param from the kind that comes in
   * @param convert what a source gives; empty for nothing. What it throws is reported, and counts
   *     as nothing
   */
  public static <V, T> UpdateProcessor<V> resolvingConflicts(
      KeyType<V> from, Function<KeyValue<V>, Optional<KeyValue<T>>> convert) {
    return new ResolvingConflicts<>(from, convert);
  }

  /**
   * One source into a pair for each of its fields. What a source has given and gives no more is
   * deleted.
   *
   * @param from the kind that comes in
   * @param fields the pairs; one without a value is a field that is not set. What it throws is
   *     reported, and all that the source has given is deleted
   */
  public static <V> UpdateProcessor<V> fanningOut(
      KeyType<V> from, Function<KeyValue<V>, List<KeyValue<?>>> fields) {
    return new FanningOut<>(from, fields);
  }

  /** Refuses what is of another kind than was asked for (7.6). */
  static <V> void check(KeyType<V> from, KeyValue<V> pair) {
    if (!pair.key().type().equals(from)) {
      throw new ConversionException(
          pair.key().path(), Optional.empty(), List.of(), "its kind is not " + from.name(), null);
    }
    Object value = pair.value().orElse(null);
    if (value != null && !from.valueType().isInstance(value)) {
      throw new ConversionException(
          pair.key().path(),
          Optional.empty(),
          List.of(),
          "its value is not a " + from.valueType().getSimpleName(),
          null);
    }
  }

  static ConversionException failed(Key<?> key, List<KeyValue<?>> pairs, RuntimeException thrown) {
    return new ConversionException(
        key.path(), Optional.empty(), pairs, thrown.getClass().getSimpleName(), thrown);
  }
}
