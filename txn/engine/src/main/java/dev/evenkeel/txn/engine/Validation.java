package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.InvalidField;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.txn.TxnEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is wrong with values, without applying any (rule 63). Keeps nothing; any thread. */
final class Validation {
  private final List<Bound<?, ?>> bounds;

  Validation(List<Bound<?, ?>> bounds) {
    this.bounds = bounds;
  }

  /** The values that are not valid, ordered by path, with those derived ones that are not. */
  List<ValueStatus> of(List<TxnEntry> entries) {
    TreeMap<String, TxnEntry.Put<?>> puts = new TreeMap<>();
    for (TxnEntry entry : entries) {
      if (entry instanceof TxnEntry.Put<?> put) {
        puts.put(put.key().path(), put);
      }
    }
    List<ValueStatus> wrong = new ArrayList<>();
    puts.values().forEach(put -> base(put).ifPresent(wrong::add));
    return wrong;
  }

  private Optional<ValueStatus> base(TxnEntry.Put<?> put) {
    Bound<?, ?> bound = bound(put.key());
    if (bound == null) {
      return Optional.empty();
    }
    List<ValueStatus> derived = new ArrayList<>();
    Optional<ValueStatus> own = one(bound, put.key(), put.value(), put.owner(), derived);
    try {
      for (KeyedValue<?> value : bound.derived(put.key(), put.value()).values()) {
        Bound<?, ?> its = bound(value.key());
        if (its != null) {
          one(its, value.key(), value.value(), put.owner(), List.of()).ifPresent(derived::add);
        }
      }
    } catch (RuntimeException thrown) {
      Failure failure = Failure.of(put.owner(), "derive", thrown);
      return Optional.of(status(put.key(), ValueState.INVALID, failure, List.of(), derived));
    }
    if (own.isPresent()) {
      return own.map(o -> with(o, derived));
    }
    return derived.isEmpty()
        ? Optional.empty()
        : Optional.of(
            status(
                put.key(),
                ValueState.NONEXISTENT,
                Failure.of(put.owner(), "validate", ErrorKind.INVALID, "what derives from it is"),
                List.of(),
                derived));
  }

  private static ValueStatus with(ValueStatus own, List<ValueStatus> derived) {
    return new ValueStatus(
        own.key(), own.state(), own.last(), own.failure(), own.details(), derived);
  }

  private static Optional<ValueStatus> one(
      Bound<?, ?> bound, Key<?> key, Object value, String owner, List<ValueStatus> derived) {
    List<InvalidField> invalid;
    try {
      if (!bound.accepts(key, value)) {
        invalid = List.of(new InvalidField("", "not of the class that its key type says"));
      } else {
        invalid = bound.validate(key, value);
      }
    } catch (RuntimeException thrown) {
      Failure failure = Failure.of(owner, "validate", thrown);
      return Optional.of(status(key, ValueState.INVALID, failure, List.of(), derived));
    }
    if (invalid.isEmpty()) {
      return Optional.empty();
    }
    String message =
        invalid.stream().map(f -> f.field() + ": " + f.reason()).collect(Collectors.joining("; "));
    return Optional.of(
        status(
            key,
            ValueState.INVALID,
            Failure.of(owner, "validate", ErrorKind.INVALID, message),
            invalid.stream().map(InvalidField::field).toList(),
            derived));
  }

  private static ValueStatus status(
      Key<?> key,
      ValueState state,
      Failure failure,
      List<String> details,
      List<ValueStatus> derived) {
    return new ValueStatus(
        key.path(),
        state,
        ValueOperation.UNDEFINED,
        Optional.of(failure.about(key.path(), key.path())),
        details,
        derived);
  }

  private @Nullable Bound<?, ?> bound(Key<?> key) {
    for (Bound<?, ?> bound : bounds) {
      if (bound.descriptor().type().equals(key.type())) {
        return bound;
      }
    }
    return null;
  }
}
