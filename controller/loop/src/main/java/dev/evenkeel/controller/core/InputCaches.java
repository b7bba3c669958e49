package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.ExternalResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.loop.ExternalSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the loop knows of the outside: the input state, and what each external source has. An event
 * enters before its handlers run, and is never taken back (EL 17, 18). Core's thread only.
 */
final class InputCaches {
  /** The source that a datastore resync brings along. */
  static final String DB = "db";

  /** Most sources that nobody registered and that have a value. */
  static final int MOST_UNREGISTERED = 64;

  private static final int LONGEST_NAME = 200;
  private static final SortedMap<String, KeyedValue<?>> NOTHING =
      Collections.unmodifiableSortedMap(new TreeMap<>());

  private final SortedMap<String, KeyedValue<?>> input = new TreeMap<>();
  private @Nullable InputState snapshot = InputState.empty();
  private final Map<String, Integer> priorities = new LinkedHashMap<>();
  private final Map<String, SortedMap<String, KeyedValue<?>>> external = new LinkedHashMap<>();

  InputCaches(List<ExternalSource> sources) {
    priorities.put(DB, 0);
    sources.forEach(source -> priorities.put(source.name(), source.priority()));
  }

  /** The input state; copied when it has changed since the last call. */
  InputState input() {
    InputState current = snapshot;
    if (current == null) {
      current = InputState.of(input.values());
      snapshot = current;
    }
    return current;
  }

  /** Why that source may not say anything: names come from outside, so there is a limit. */
  Optional<Failure> fault(String source) {
    if (source.isEmpty() || source.length() > LONGEST_NAME) {
      return fault(
          ErrorKind.INVALID, "a source has a name of 1 to " + LONGEST_NAME + " characters");
    }
    if (priorities.containsKey(source) || external.containsKey(source)) {
      return Optional.empty();
    }
    long unregistered = external.keySet().stream().filter(n -> !priorities.containsKey(n)).count();
    return unregistered < MOST_UNREGISTERED
        ? Optional.empty()
        : fault(
            ErrorKind.RESOURCE_EXHAUSTED,
            "more than " + MOST_UNREGISTERED + " sources that nobody registered: " + source);
  }

  private static Optional<Failure> fault(ErrorKind kind, String why) {
    return Optional.of(Chain.loop("push", kind, why));
  }

  /** Takes over what the event says; the external keys that it changes come back, by path. */
  SortedMap<String, Key<?>> accept(Event event) {
    if (event instanceof DatastoreResync resync) {
      input.clear();
      resync.input().values().forEach(value -> input.put(value.key().path(), value));
      snapshot = resync.input();
      replace(DB, resync.external().values());
    } else if (event instanceof ExternalResync resync) {
      replace(resync.source(), resync.snapshot().values());
    } else if (event instanceof StateChange change) {
      accept(change);
    } else if (event instanceof ExternalChange change) {
      return accept(change);
    }
    return SerialLane.NOTHING;
  }

  private void accept(StateChange change) {
    Optional<? extends Key<?>> key = change.kind().parse(change.key());
    if (change.current().isPresent() && key.isPresent()) {
      input.put(change.key(), pair(key.get(), change.current().get()));
    } else {
      input.remove(change.key());
    }
    snapshot = null;
  }

  private SortedMap<String, Key<?>> accept(ExternalChange change) {
    SortedMap<String, KeyedValue<?>> values = of(change.source());
    SortedMap<String, Key<?>> touched = new TreeMap<>();
    change
        .changes()
        .forEach(
            (key, value) -> {
              touched.put(key.path(), key);
              if (value.isPresent()) {
                values.put(key.path(), pair(key, value.get()));
              } else {
                values.remove(key.path());
              }
            });
    forgetIfEmpty(change.source());
    return touched;
  }

  /** A source has given all that it has. */
  void replace(String source, Collection<KeyedValue<?>> values) {
    SortedMap<String, KeyedValue<?>> mine = of(source);
    mine.clear();
    values.forEach(value -> mine.put(value.key().path(), value));
    forgetIfEmpty(source);
  }

  private void forgetIfEmpty(String source) {
    if (of(source).isEmpty()) {
      external.remove(source);
    }
  }

  private SortedMap<String, KeyedValue<?>> of(String source) {
    return external.computeIfAbsent(source, s -> new TreeMap<>());
  }

  boolean nothingExternal() {
    for (SortedMap<String, KeyedValue<?>> values : external.values()) {
      if (!values.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Every key that some source has, by path. */
  SortedMap<String, Key<?>> externalKeys() {
    SortedMap<String, Key<?>> keys = new TreeMap<>();
    external
        .values()
        .forEach(values -> values.forEach((path, value) -> keys.put(path, value.key())));
    return keys;
  }

  /**
   * What the sources say of a path, highest priority first; sources of one priority by name, those
   * that nobody registered last (EW-9).
   */
  List<KeyedValue<?>> externals(String path) {
    List<String> names = new ArrayList<>(external.keySet());
    names.sort(
        Comparator.comparing((String name) -> priorities.getOrDefault(name, Integer.MIN_VALUE))
            .reversed()
            .thenComparing(Comparator.naturalOrder()));
    List<KeyedValue<?>> found = new ArrayList<>();
    for (String name : names) {
      KeyedValue<?> value = external.getOrDefault(name, NOTHING).get(path);
      if (value != null) {
        found.add(value);
      }
    }
    return found;
  }

  @SuppressWarnings("unchecked") // whoever made the event or read the store paired key and value
  private static KeyedValue<?> pair(Key<?> key, Object value) {
    return new KeyedValue<>((Key<Object>) key, value);
  }
}
