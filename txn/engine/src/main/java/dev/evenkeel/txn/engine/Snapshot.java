package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.InvalidField;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.api.txn.ValueStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values after some transaction; immutable. What a status says is put together when it is asked
 * for, out of the entries of this snapshot.
 */
record Snapshot(PathMap<Entry> entries, PathMap<String> index) implements ValueReader {
  /**
   * One value.
   *
   * @param base whether it is a base value
   * @param available whether others may rely on it
   * @param children paths of what derives from it
   * @param more what most have not
   */
  record Entry(
      Key<?> key,
      boolean base,
      boolean available,
      ValueState state,
      ValueOperation last,
      List<String> children,
      @Nullable Object desired,
      @Nullable Object applied,
      @Nullable Object metadata,
      More more) {
    /** Whether the other one is the same to every reader, down to the objects. */
    @SuppressWarnings("ReferenceEquality") // users' objects are not asked
    boolean shows(Entry other) {
      return key == other.key
          && base == other.base
          && available == other.available
          && state == other.state
          && last == other.last
          && children == other.children
          && desired == other.desired
          && applied == other.applied
          && metadata == other.metadata
          && more == other.more;
    }

    @Nullable Failure failure() {
      return more.failure();
    }

    List<String> indexed() {
      return more.indexed();
    }

    @Nullable Facts facts() {
      return more.facts();
    }
  }

  /**
   * What most values have nothing of.
   *
   * @param needs of a pending value
   * @param indexed where it stands in the secondary index
   * @param facts what the history tells; absent when none is kept
   */
  record More(
      @Nullable Failure failure,
      List<InvalidField> invalid,
      List<Dependency> needs,
      List<String> indexed,
      @Nullable Facts facts) {
    private static final More NOTHING = new More(null, List.of(), List.of(), List.of(), null);

    static More of(
        @Nullable Failure failure,
        List<InvalidField> invalid,
        List<Dependency> needs,
        List<String> indexed,
        @Nullable Facts facts) {
      return failure == null
              && facts == null
              && invalid.isEmpty()
              && needs.isEmpty()
              && indexed.isEmpty()
          ? NOTHING
          : new More(failure, invalid, needs, indexed, facts);
    }
  }

  static Snapshot empty() {
    return new Snapshot(PathMap.empty(), PathMap.empty());
  }

  /** Where an entry of a secondary index begins; 0 is in no name. */
  static String indexPath(String descriptor, String index, String entry) {
    return descriptor + '\0' + index + '\0' + entry + '\0';
  }

  @Override
  public ValueStatus status(Key<?> key) {
    String path = key.path();
    Entry entry = entries.get(path);
    return entry != null
        ? status(path, entry)
        : new ValueStatus(
            path,
            ValueState.NONEXISTENT,
            ValueOperation.UNDEFINED,
            Optional.empty(),
            List.of(),
            List.of());
  }

  private ValueStatus status(String path, Entry entry) {
    List<ValueStatus> derived = new ArrayList<>(entry.children().size());
    for (String child : entry.children()) {
      Entry there = entries.get(child);
      if (there != null) {
        derived.add(status(child, there));
      }
    }
    return new ValueStatus(
        path,
        entry.state(),
        entry.last(),
        Optional.ofNullable(entry.failure()),
        details(entry),
        derived);
  }

  /** Unmet dependencies of a pending value, wrong fields of an invalid one. */
  List<String> details(Entry entry) {
    if (!entry.more().invalid().isEmpty()) {
      return entry.more().invalid().stream().map(InvalidField::field).toList();
    }
    return entry.more().needs().stream().filter(need -> !met(need)).map(Dependency::label).toList();
  }

  private boolean met(Dependency need) {
    if (need instanceof Dependency.On on) {
      Entry target = entries.get(on.key());
      return target != null && target.available();
    }
    Dependency.AnyOf any = (Dependency.AnyOf) need;
    for (String prefix : any.prefixes()) {
      if (entries.any(prefix, (path, entry) -> entry.available() && AnyOfs.passes(any, path))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public List<ValueStatus> statuses(String prefix) {
    List<ValueStatus> found = new ArrayList<>();
    entries.any(
        prefix,
        (path, entry) -> {
          if (entry.base()) {
            found.add(status(path, entry));
          }
          return false;
        });
    return found;
  }

  @Override
  public <V> Optional<V> desired(Key<V> key) {
    Entry entry = entries.get(key.path());
    return cast(key.type(), entry == null ? null : entry.desired());
  }

  @Override
  public <V> Optional<V> applied(Key<V> key) {
    Entry entry = entries.get(key.path());
    return cast(key.type(), entry == null ? null : entry.applied());
  }

  @Override
  public <V> List<KeyedValue<V>> allApplied(KeyType<V> type) {
    List<KeyedValue<V>> found = new ArrayList<>();
    entries.forEach(
        type.prefix(),
        entry -> {
          Object applied = entry.applied();
          if (applied != null && entry.key().type().equals(type)) {
            found.add(keyed(entry.key(), type, applied));
          }
        });
    return found;
  }

  @Override
  public <M> Optional<M> metadata(Key<?> key, Class<M> type) {
    Entry entry = entries.get(key.path());
    return entry == null || !type.isInstance(entry.metadata())
        ? Optional.empty()
        : Optional.of(type.cast(entry.metadata()));
  }

  @Override
  public List<String> findByIndex(String descriptor, String name, String entry) {
    List<String> found = new ArrayList<>();
    index.forEach(indexPath(descriptor, name, entry), found::add);
    return found;
  }

  private static <V> Optional<V> cast(KeyType<V> type, @Nullable Object value) {
    return value == null ? Optional.empty() : Optional.of(type.valueType().cast(value));
  }

  @SuppressWarnings("unchecked") // equal key types have keys of one class of values
  private static <V> KeyedValue<V> keyed(Key<?> key, KeyType<V> type, Object value) {
    return new KeyedValue<>((Key<V>) key, type.valueType().cast(value));
  }
}
