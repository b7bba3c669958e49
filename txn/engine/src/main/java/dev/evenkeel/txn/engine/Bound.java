package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.InvalidField;
import dev.evenkeel.api.txn.NoMetadata;
import dev.evenkeel.api.txn.Retriever;
import dev.evenkeel.api.txn.Updater;
import dev.evenkeel.txn.Action;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A descriptor behind untyped keys and values: the one place of the unchecked casts. They hold
 * because a value gets in only through {@link #accepts}.
 */
@SuppressWarnings("unchecked")
final class Bound<V, M> {
  private static final Logger LOG = LoggerFactory.getLogger(Bound.class);

  /** In a dry run: the metadata that a call would have returned. */
  static final Object ASSUMED = new Object();

  private final Descriptor<V, M> descriptor;

  /** The outside could not be asked at start: nothing is done here until it can. */
  boolean unknown;

  /** A retrieve has succeeded once. */
  boolean retrieved;

  /** A retrieve has not returned: nothing is done here until it has (JT-4). */
  boolean hung;

  Bound(Descriptor<V, M> descriptor) {
    this.descriptor = descriptor;
  }

  Descriptor<V, M> descriptor() {
    return descriptor;
  }

  String name() {
    return descriptor.name();
  }

  boolean accepts(Key<?> key, Object value) {
    return descriptor.type().equals(key.type()) && descriptor.type().valueType().isInstance(value);
  }

  boolean retrieves() {
    return descriptor.retriever().isPresent();
  }

  boolean same(Key<?> key, Object a, Object b) {
    return descriptor.same((Key<V>) key, (V) a, (V) b);
  }

  List<InvalidField> validate(Key<?> key, Object value) {
    return descriptor.validate((Key<V>) key, (V) value);
  }

  List<Dependency> dependencies(Key<?> key, Object value) {
    return descriptor.dependencies((Key<V>) key, (V) value);
  }

  SortedMap<String, KeyedValue<?>> derived(Key<?> key, Object value) {
    TreeMap<String, KeyedValue<?>> byPath = new TreeMap<>();
    for (KeyedValue<?> derived : descriptor.derived((Key<V>) key, (V) value)) {
      byPath.put(derived.key().path(), derived);
    }
    return byPath;
  }

  SortedMap<String, List<String>> index(Key<?> key, Object metadata) {
    return descriptor.index((Key<V>) key, (M) metadata);
  }

  /** Whether the descriptor thinks it worth trying again; so it is when it cannot tell. */
  boolean retriable(Throwable thrown) {
    try {
      return !(thrown instanceof Exception failure) || descriptor.retriable(failure);
    } catch (RuntimeException unknown) {
      LOG.warn("descriptor {} cannot tell whether a failure is retriable", name(), unknown);
      return true;
    }
  }

  /** Whether a change is a delete and a create. */
  boolean recreates(Node node, Object before, Object after) {
    try {
      return recreatesKnowing(node, before, after);
    } catch (RuntimeException thrown) {
      if (node.metadata == ASSUMED) {
        return false; // it could not be told without metadata that nobody has yet
      }
      throw thrown;
    }
  }

  private boolean recreatesKnowing(Node node, Object before, Object after) {
    return descriptor
        .updater()
        .map(u -> u.recreates((Key<V>) node.key, (V) before, (V) after, new Given(node).get()))
        .orElse(true);
  }

  /** Whether a value that is there would be replaced by a delete and a create; never throws. */
  boolean replaces(Node node, Object wanted) {
    Object applied = node.applied;
    try {
      return applied != null
          && accepts(node.key, wanted)
          && validate(node.key, wanted).isEmpty()
          && !same(node.key, applied, wanted)
          && recreates(node, applied, wanted);
    } catch (RuntimeException | Error thrown) {
      return false; // said when the value is looked at
    }
  }

  Call create(Key<?> key, Object value, String owner) {
    return call(
        Action.Kind.CREATE,
        key.path(),
        owner,
        context -> descriptor.create((Key<V>) key, (V) value, context));
  }

  Call update(Node node, Object before, Object after) {
    Updater<V, M> updater = descriptor.updater().orElseThrow();
    Key<V> key = (Key<V>) node.key;
    Given given = new Given(node);
    return call(
        Action.Kind.UPDATE,
        node.path,
        node.owner,
        context -> updater.update(key, (V) before, (V) after, given.get(), context));
  }

  Call delete(Node node, Object value) {
    Key<V> key = (Key<V>) node.key;
    Given given = new Given(node);
    return call(
        Action.Kind.DELETE,
        node.path,
        node.owner,
        context -> {
          descriptor.delete(key, (V) value, given.get(), context);
          return key.path();
        });
  }

  Retriever.Known<V, M> known(Key<?> key, Object value, @Nullable Object metadata) {
    M known = metadata == ASSUMED ? null : (M) metadata;
    return new Retriever.Known<>((Key<V>) key, (V) value, Optional.ofNullable(known));
  }

  /**
   * Reads what is there: of everything, or of some keys. Gives a list of {@code Found}.
   *
   * @param known does not change any more
   */
  Call retrieve(List<Retriever.Known<?, ?>> known, @Nullable List<Key<?>> only) {
    Retriever<V, M> retriever = descriptor.retriever().orElseThrow();
    List<Retriever.Known<V, M>> typed = (List<Retriever.Known<V, M>>) (List<?>) known;
    List<Key<V>> keys = only == null ? null : only.stream().map(k -> (Key<V>) k).toList();
    return call(
        Action.Kind.RETRIEVE,
        descriptor.name(),
        "engine",
        context ->
            Objects.requireNonNull(
                retriever.retrieve(typed, keys, context), "a retriever must not answer null"));
  }

  private Call call(Action.Kind kind, String target, String owner, Call.Body body) {
    return new Call(name(), kind, target, owner, descriptor.limit(), descriptor.inline(), body);
  }

  /** The metadata that a callback is given, as they are now. */
  private final class Given {
    private final @Nullable Object metadata;
    private final boolean without;

    Given(Node node) {
      metadata = node.metadata == ASSUMED ? null : node.metadata;
      without = node.base != null || node.metadata == ASSUMED;
    }

    /**
     * Null for derived values alone, of which none are kept (rule 6), and in a dry run for what it
     * has made itself. A notification brings none: then they have been asked for, and if that has
     * failed nothing is done; where they cannot be asked for, only a descriptor without metadata
     * can go on.
     */
    @SuppressWarnings("NullAway")
    M get() {
      if (metadata != null || without) {
        return (M) metadata;
      }
      if (retrieves()) {
        throw new EvenkeelException(
            ErrorKind.FAILED_PRECONDITION,
            "its metadata are not known, and retrieving has not told them: nothing was done");
      }
      return (M) NoMetadata.NONE;
    }
  }
}
