package dev.evenkeel.txn.operation;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.handler.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Reads a datastore for loaders and remembers it all; one worker's thread, during one visit. */
final class LoadReader implements Reader {
  /** Values that one operation may read. */
  private static final int MOST = 10_000;

  private final BlockingDatastore store;
  private final Map<String, Optional<?>> byPath = new TreeMap<>();
  private final String declared;
  private Optional<String> canonical = Optional.empty();

  LoadReader(BlockingDatastore store, String declared) {
    this.store = store;
    this.declared = declared;
  }

  @Override
  public <V> Optional<V> read(Key<V> key) {
    Optional<?> before = byPath.get(key.path());
    if (before != null) {
      return before.map(key.type().valueType()::cast);
    }
    Optional<V> value = store.find(key, Call.usual()).flatMap(KeyValue::value);
    remember(key, value);
    return value;
  }

  @Override
  public <V> List<KeyedValue<V>> list(KeyType<V> type, String pathPrefix) {
    ListOptions.Scope scope =
        pathPrefix.endsWith("/") ? ListOptions.Scope.DIRECTORY : ListOptions.Scope.NAME_PREFIX;
    List<KeyedValue<V>> found = new ArrayList<>();
    for (KeyValue<V> pair :
        store.list(new ListOptions<>(type, pathPrefix, scope), Call.usual()).items()) {
      if (pair.value().isPresent()) {
        remember(pair.key(), pair.value());
        found.add(new KeyedValue<>(pair.key(), pair.value().get()));
      }
    }
    return List.copyOf(found);
  }

  private void remember(Key<?> key, Optional<?> value) {
    if (byPath.size() >= MOST) {
      throw new EvenkeelException(
          ErrorKind.RESOURCE_EXHAUSTED, "an operation may load " + MOST + " values at most");
    }
    byPath.put(key.path(), value);
  }

  @Override
  public void subject(String text) {
    Objects.requireNonNull(text, "subject");
    if (canonical.isPresent() && !canonical.get().equals(text)) {
      throw new IllegalStateException(
          "two loaders disagree on the subject: " + canonical.get() + ", " + text);
    }
    canonical = Optional.of(text);
  }

  String subject() {
    return canonical.orElse(declared);
  }

  Map<String, Optional<?>> values() {
    return byPath;
  }
}
