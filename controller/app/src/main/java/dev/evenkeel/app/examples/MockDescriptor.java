package dev.evenkeel.app.examples;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.Retriever;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.Updater;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How values of a kind get into the mock switch. What they mean is said by those that extend it.
 */
abstract class MockDescriptor<V> implements Descriptor<V, Integer> {
  private final String name;
  private final KeyType<V> type;
  private final Device device;

  MockDescriptor(String name, KeyType<V> type, Device device) {
    this.name = name;
    this.type = type;
    this.device = device;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final KeyType<V> type() {
    return type;
  }

  @Override
  public final Integer create(Key<V> key, V value, StepContext context) {
    device.called("create", key.path());
    return device.put(key.path(), value);
  }

  @Override
  public final void delete(Key<V> key, V value, Integer number, StepContext context) {
    device.called("delete", key.path());
    device.remove(key.path());
  }

  /** Whether a change needs a delete and a create. */
  boolean replaces(V before, V after) {
    return false;
  }

  @Override
  public final Optional<Updater<V, Integer>> updater() {
    return Optional.of(
        new Updater<>() {
          @Override
          public Integer update(
              Key<V> key, V before, V after, Integer number, StepContext context) {
            device.called("update", key.path());
            return device.put(key.path(), after);
          }

          @Override
          public boolean recreates(Key<V> key, V before, V after, Integer number) {
            return replaces(before, after);
          }
        });
  }

  @Override
  public final Optional<Retriever<V, Integer>> retriever() {
    return Optional.of(this::retrieve);
  }

  private List<Retriever.Found<V, Integer>> retrieve(
      List<Retriever.Known<V, Integer>> known, @Nullable List<Key<V>> only, StepContext context) {
    device.called("retrieve", name);
    List<Retriever.Found<V, Integer>> found = new ArrayList<>();
    device
        .below(type.prefix())
        .forEach(
            (path, thing) ->
                found.add(
                    new Retriever.Found<>(
                        new ExampleKey<>(path, type),
                        type.valueType().cast(thing.value()),
                        thing.number(),
                        Origin.NORTH)));
    return found;
  }

  @Override
  public final boolean inline() {
    return true;
  }
}
