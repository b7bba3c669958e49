package dev.evenkeel.bench.txn;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.NoMetadata;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.Retriever;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.txn.TxnEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The shape in which the model was measured: interfaces, and a bridge that derives a binding for
 * each, which needs its interface. The backend does nothing but count.
 */
final class Bridged {
  /** An interface. */
  record Iface(String name, int mtu) {}

  /** A bridge over interfaces. */
  record Bridge(List<String> names) {}

  /** One interface in a bridge. */
  record Binding(String name) {}

  /** Something that derives one value. */
  record Labelled(String name) {}

  /** What derives from it. */
  record Label(String name) {}

  /** A key that holds its path. */
  record Path<V>(String path, KeyType<V> type) implements Key<V> {}

  static final KeyType<Iface> IFACES = type("interface", "/if/", Iface.class);
  static final KeyType<Bridge> BRIDGES = type("bridge", "/bd/", Bridge.class);
  static final KeyType<Binding> BINDINGS = type("binding", "/binding/", Binding.class);

  static final KeyType<Labelled> LABELLED = type("labelled", "/labelled/", Labelled.class);
  static final KeyType<Label> LABELS = type("label", "/label/", Label.class);

  private Bridged() {}

  private static <V> KeyType<V> type(String name, String prefix, Class<V> values) {
    KeyType<?>[] self = new KeyType<?>[1];
    @SuppressWarnings("unchecked") // it is the one that is returned
    KeyType<V> type =
        KeyType.of(
            name, prefix, values, path -> Optional.of(new Path<>(path, (KeyType<V>) self[0])));
    self[0] = type;
    return type;
  }

  /** The name of an interface; names are spread, so that their order is not that of the numbers. */
  static String name(int number) {
    String hash = Integer.toHexString(number * 0x9E3779B1);
    return "00000000".substring(hash.length()) + hash + "-" + number;
  }

  static Key<Iface> iface(String name) {
    return new Path<>("/if/" + name, IFACES);
  }

  static Key<Bridge> bridge() {
    return new Path<>("/bd/one", BRIDGES);
  }

  static Key<Binding> binding(String name) {
    return new Path<>("/binding/" + name, BINDINGS);
  }

  static List<KeyedValue<?>> bindings(Bridge bridge) {
    List<KeyedValue<?>> bindings = new ArrayList<>(bridge.names().size());
    for (String name : bridge.names()) {
      bindings.add(new KeyedValue<>(binding(name), new Binding(name)));
    }
    return bindings;
  }

  private static KeyedValue<?> label(Labelled value) {
    return new KeyedValue<>(new Path<>("/label/" + value.name(), LABELS), new Label(value.name()));
  }

  /** What a value derives. */
  static List<KeyedValue<?>> derived(TxnEntry.Put<?> put) {
    if (put.value() instanceof Bridge bridge) {
      return bindings(bridge);
    }
    return put.value() instanceof Labelled labelled ? List.of(label(labelled)) : List.of();
  }

  /** What the descriptors call. */
  static final class Backend {
    long calls;

    /** What a retrieve of the interfaces finds; when absent, they cannot be retrieved. */
    @Nullable List<Retriever.Found<Iface, NoMetadata>> there;

    NoMetadata create(Key<?> key, Object value) {
      calls += key.path().length() + (value == null ? 0 : 1);
      return NoMetadata.NONE;
    }

    void delete(Key<?> key) {
      calls += key.path().length();
    }
  }

  /** n interfaces, and the bridge over them. */
  static List<TxnEntry> bridged(int n) {
    List<TxnEntry> entries = new ArrayList<>(flat(n));
    entries.add(Engine.put(bridge(), new Bridge(names(n))));
    return List.copyOf(entries);
  }

  /** n interfaces. */
  static List<TxnEntry> flat(int n) {
    List<TxnEntry> entries = new ArrayList<>(n);
    for (String name : names(n)) {
      entries.add(Engine.put(iface(name), new Iface(name, name.length())));
    }
    return List.copyOf(entries);
  }

  /** The same n interfaces as a backend tells of them. */
  static List<Retriever.Found<Iface, NoMetadata>> found(int n) {
    List<Retriever.Found<Iface, NoMetadata>> found = new ArrayList<>(n);
    for (String name : names(n)) {
      Iface value = new Iface(name, name.length());
      found.add(new Retriever.Found<>(iface(name), value, NoMetadata.NONE, Origin.NORTH));
    }
    return List.copyOf(found);
  }

  /** n interfaces with a label each, which is derived. */
  static List<TxnEntry> labelled(int n) {
    List<TxnEntry> entries = new ArrayList<>(n);
    for (String name : names(n)) {
      entries.add(Engine.put(new Path<>("/labelled/" + name, LABELLED), new Labelled(name)));
    }
    return List.copyOf(entries);
  }

  private static List<String> names(int n) {
    List<String> names = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      names.add(name(i));
    }
    return names;
  }

  static List<Descriptor<?, ?>> descriptors(Backend backend) {
    return List.of(
        new Inline<>("interfaces", IFACES, backend) {
          @Override
          public Optional<Retriever<Iface, NoMetadata>> retriever() {
            List<Retriever.Found<Iface, NoMetadata>> there = backend.there;
            return there == null ? Optional.empty() : Optional.of((known, only, c) -> there);
          }
        },
        new Inline<>("bridges", BRIDGES, backend) {
          @Override
          public List<KeyedValue<?>> derived(Key<Bridge> key, Bridge value) {
            return bindings(value);
          }
        },
        new Inline<>("labelled", LABELLED, backend) {
          @Override
          public List<KeyedValue<?>> derived(Key<Labelled> key, Labelled value) {
            return List.of(label(value));
          }
        },
        new Inline<>("labels", LABELS, backend),
        new Inline<>("bindings", BINDINGS, backend) {
          @Override
          public List<Dependency> dependencies(Key<Binding> key, Binding value) {
            return List.of(new Dependency.On("interface", "/if/" + value.name()));
          }
        });
  }

  /** A descriptor that calls the backend at once. */
  static class Inline<V> implements Descriptor<V, NoMetadata> {
    private final String name;
    private final KeyType<V> type;
    private final Backend backend;

    Inline(String name, KeyType<V> type, Backend backend) {
      this.name = name;
      this.type = type;
      this.backend = backend;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public KeyType<V> type() {
      return type;
    }

    @Override
    public NoMetadata create(Key<V> key, V value, StepContext context) {
      return backend.create(key, value);
    }

    @Override
    public void delete(Key<V> key, V value, NoMetadata metadata, StepContext context) {
      backend.delete(key);
    }

    @Override
    public boolean inline() {
      return true;
    }
  }
}
