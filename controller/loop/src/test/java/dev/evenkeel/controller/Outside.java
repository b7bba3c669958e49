package dev.evenkeel.controller;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.NoMetadata;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.Retriever;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.Updater;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A descriptor of texts over a map, which fails for the keys that it is told to. */
final class Outside implements Descriptor<String, NoMetadata> {
  final Map<String, String> values = new ConcurrentSkipListMap<>();
  final Set<String> failing = ConcurrentHashMap.newKeySet();
  volatile CountDownLatch open = new CountDownLatch(0);
  volatile Runnable onSet = () -> {};
  final AtomicInteger entered = new AtomicInteger();
  final Set<String> undeletable = ConcurrentHashMap.newKeySet();
  private final boolean inline;

  /** What is not found when it is read back. */
  final Set<String> hidden = ConcurrentHashMap.newKeySet();

  /** Whether it can be read back; before the loop is made. */
  boolean readable;

  Outside(boolean inline) {
    this.inline = inline;
  }

  @Override
  public String name() {
    return "outside";
  }

  @Override
  public KeyType<String> type() {
    return K.TYPE;
  }

  @Override
  public boolean inline() {
    return inline;
  }

  @Override
  public String merge(Key<String> key, List<String> byPriority) {
    if (byPriority.contains("throw")) {
      throw new AssertionError("no merge");
    }
    return String.join("+", byPriority);
  }

  /** A value that begins with "pending" waits for a key that never comes. */
  @Override
  public List<Dependency> dependencies(Key<String> key, String value) {
    return value.startsWith("pending") ? List.of(Dependency.on(new K("never"))) : List.of();
  }

  /** A value that begins with "derives" has another one derived from it. */
  @Override
  public List<KeyedValue<?>> derived(Key<String> key, String value) {
    return value.startsWith("derives")
        ? List.of(new KeyedValue<>(new K(((K) key).name() + "-derived"), "d"))
        : List.of();
  }

  /** With {@link #readable}: what is really there. */
  @Override
  public Optional<Retriever<String, NoMetadata>> retriever() {
    return readable ? Optional.of((known, only, context) -> there()) : Optional.empty();
  }

  private List<Retriever.Found<String, NoMetadata>> there() throws InterruptedException {
    open.await();
    List<Retriever.Found<String, NoMetadata>> found = new ArrayList<>();
    values.forEach(
        (name, value) -> {
          if (!hidden.contains(name)) {
            found.add(new Retriever.Found<>(new K(name), value, NoMetadata.NONE, Origin.UNKNOWN));
          }
        });
    return found;
  }

  @Override
  public NoMetadata create(Key<String> key, String value, StepContext context) {
    set(key, value);
    return NoMetadata.NONE;
  }

  private void set(Key<String> key, String value) {
    CountDownLatch mine = open;
    entered.incrementAndGet();
    try {
      mine.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    onSet.run();
    if (failing.contains(((K) key).name())) {
      throw new IllegalStateException("E2");
    }
    values.put(((K) key).name(), value);
  }

  @Override
  public void delete(Key<String> key, String value, NoMetadata metadata, StepContext context) {
    if (undeletable.contains(((K) key).name())) {
      throw new IllegalStateException("E3");
    }
    values.remove(((K) key).name());
  }

  @Override
  public Optional<Updater<String, NoMetadata>> updater() {
    return Optional.of(
        new Updater<>() {
          @Override
          public NoMetadata update(
              Key<String> key,
              String before,
              String after,
              NoMetadata metadata,
              StepContext context) {
            set(key, after);
            return NoMetadata.NONE;
          }
        });
  }
}
