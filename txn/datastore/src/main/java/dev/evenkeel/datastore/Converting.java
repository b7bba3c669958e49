package dev.evenkeel.datastore;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.SyncerOptions.UpdateProcessor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pair into one other or none (7.2, 7.3, 7.7). Keeps nothing. */
final class Converting<V, T> implements UpdateProcessor<V> {
  private static final Logger LOG = LoggerFactory.getLogger(Converting.class);

  private final KeyType<V> from;
  private final Function<Key<V>, Key<T>> key;
  private final Function<KeyValue<V>, Optional<T>> value;

  Converting(
      KeyType<V> from, Function<Key<V>, Key<T>> key, Function<KeyValue<V>, Optional<T>> value) {
    this.from = from;
    this.key = key;
    this.value = value;
  }

  @Override
  public List<KeyValue<?>> process(KeyValue<V> pair) {
    Processors.check(from, pair);
    Key<T> target = key.apply(pair.key());
    return List.of(
        pair.value().isEmpty()
            ? KnownPairs.gone(target)
            : converted(pair)
                .<KeyValue<T>>map(made -> KeyValue.of(target, made).at(pair.revision()))
                .orElseGet(() -> KnownPairs.gone(target)));
  }

  private Optional<T> converted(KeyValue<V> pair) {
    try {
      return value.apply(pair);
    } catch (RuntimeException thrown) {
      LOG.warn("{} cannot be converted, and counts as absent", pair.key().path(), thrown);
      return Optional.empty();
    }
  }

  @Override
  public List<KeyValue<?>> unparsable(Key<V> undecodable) {
    return List.of(KnownPairs.gone(key.apply(undecodable)));
  }
}
