package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.InvalidField;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.Retriever;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.Updater;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A descriptor over the tests' outside, whose abilities and whims can be set. */
final class MockDescriptor implements Descriptor<Val, Integer> {
  private final String name;
  private final KeyType<Val> type;
  final SouthBound outside;
  private final Map<String, Function<Val, List<Dependency>>> needs = new HashMap<>();
  private final Set<String> recreating = new HashSet<>();
  private final Set<String> after = new TreeSet<>();
  private int nextMetadata;
  boolean updates = true;
  boolean retrieves = true;
  boolean properties;

  /** Which failures are worth trying again. */
  Predicate<Exception> retriable = failure -> true;

  /** Of which kind derived values are, if not of this one. */
  String derivesAs = "";

  /** Whether a change is a delete and a create, by the metadata. */
  Predicate<Integer> recreatesIf = metadata -> false;

  BiFunction<Key<Val>, Val, List<Dependency>> everyNeeds = (key, value) -> List.of();

  /** What happens outside just before it is retrieved. */
  Runnable beforeRetrieve = () -> {};

  /** What the last retrieve was told to know, and the keys that it was asked for. */
  final List<String> retrieved = new ArrayList<>();

  /** The keys that a retrieve was asked for alone, one line for each such call. */
  final List<List<String>> askedFor = new ArrayList<>();

  /** What every retrieve finds besides. */
  final List<Retriever.Found<Val, Integer>> babble = new ArrayList<>();

  MockDescriptor(String letter, SouthBound outside) {
    this.name = "D" + letter.toUpperCase(java.util.Locale.ROOT);
    this.type = Val.type(letter);
    this.outside = outside;
  }

  /** The value needs these keys. */
  MockDescriptor needs(String path, String... keys) {
    List<Dependency> list = new ArrayList<>();
    for (String key : keys) {
      list.add(new Dependency.On(key, "/" + key));
    }
    return needs(path, value -> list);
  }

  MockDescriptor needs(String path, Function<Val, List<Dependency>> function) {
    needs.put("/" + path, function);
    return this;
  }

  /** A change of the value is a delete and a create. */
  MockDescriptor recreates(String path) {
    recreating.add("/" + path);
    return this;
  }

  MockDescriptor after(String descriptor) {
    after.add(descriptor);
    return this;
  }

  MockDescriptor startMetadataAt(int next) {
    nextMetadata = next;
    return this;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public KeyType<Val> type() {
    return type;
  }

  @Override
  public boolean retriable(Exception failure) {
    return retriable.test(failure);
  }

  @Override
  public Set<String> retrieveAfter() {
    return after;
  }

  @Override
  public List<InvalidField> validate(Key<Val> key, Val value) {
    return value instanceof Val.L list && list.items().contains("bad")
        ? List.of(new InvalidField("items", "must not contain bad"))
        : List.of();
  }

  @Override
  public List<KeyedValue<?>> derived(Key<Val> key, Val value) {
    List<KeyedValue<?>> all = new ArrayList<>();
    if (value instanceof Val.L list) {
      for (String item : list.items()) {
        Val.S one = new Val.S(item);
        String path = key.path().substring(1) + "/" + one.name();
        path = derivesAs.isEmpty() ? path : derivesAs + "/" + path;
        all.add(new KeyedValue<>(properties ? Val.property(path) : Val.key(path), one));
      }
    }
    return all;
  }

  @Override
  public List<Dependency> dependencies(Key<Val> key, Val value) {
    Function<Val, List<Dependency>> function = needs.get(key.path());
    return function != null ? function.apply(value) : everyNeeds.apply(key, value);
  }

  @Override
  public SortedMap<String, List<String>> index(Key<Val> key, Integer metadata) {
    return new TreeMap<>(Map.of("parity", List.of(metadata % 2 == 0 ? "even" : "odd")));
  }

  @Override
  public Integer create(Key<Val> key, Val value, StepContext context) throws Exception {
    outside.call("create", key.path());
    boolean base = value instanceof Val.L;
    if (outside.things.containsKey(key.path())) {
      throw new IllegalStateException("exists: " + key.path());
    }
    int metadata = base ? nextMetadata++ : -1;
    outside.things.put(
        key.path(), new SouthBound.Thing(base ? Val.list() : value, metadata, Origin.NORTH));
    return metadata;
  }

  @Override
  public void delete(Key<Val> key, Val value, Integer metadata, StepContext context)
      throws Exception {
    outside.call("delete", key.path());
    outside.things.remove(key.path());
  }

  @Override
  public Optional<Updater<Val, Integer>> updater() {
    if (!updates) {
      return Optional.empty();
    }
    return Optional.of(
        new Updater<>() {
          @Override
          public Integer update(
              Key<Val> key, Val before, Val now, Integer metadata, StepContext context)
              throws Exception {
            outside.call("update", key.path());
            if (now instanceof Val.S) {
              outside.things.put(key.path(), new SouthBound.Thing(now, metadata, Origin.NORTH));
            }
            return metadata;
          }

          @Override
          public boolean recreates(Key<Val> key, Val before, Val now, Integer metadata) {
            return recreating.contains(key.path()) || recreatesIf.test(metadata);
          }
        });
  }

  @Override
  public Optional<Retriever<Val, Integer>> retriever() {
    return retrieves ? Optional.of(this::retrieve) : Optional.empty();
  }

  private List<Retriever.Found<Val, Integer>> retrieve(
      List<Retriever.Known<Val, Integer>> known, @Nullable List<Key<Val>> only, StepContext context)
      throws Exception {
    outside.call("retrieve", name);
    beforeRetrieve.run();
    retrieved.clear();
    if (only != null) {
      askedFor.add(only.stream().map(key -> key.path().substring(1)).toList());
    }
    known.forEach(
        k ->
            retrieved.add(
                k.key().path().substring(1)
                    + "="
                    + k.value()
                    + k.metadata().map(m -> " " + m).orElse("")));
    List<Retriever.Found<Val, Integer>> found = new ArrayList<>();
    for (String path : List.copyOf(outside.things.keySet())) {
      SouthBound.Thing thing = outside.list(path);
      if (thing != null && path.startsWith(type.prefix())) {
        found.add(
            new Retriever.Found<>(
                Val.key(path.substring(1)), thing.value(), thing.metadata(), thing.origin()));
      }
    }
    found.addAll(babble);
    return found;
  }
}
