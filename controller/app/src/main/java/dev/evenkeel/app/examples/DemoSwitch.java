package dev.evenkeel.app.examples;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.app.examples.BridgePlugin.Bridge;
import dev.evenkeel.app.examples.BridgePlugin.Forward;
import dev.evenkeel.app.examples.NicPlugin.Kind;
import dev.evenkeel.app.examples.NicPlugin.Nic;
import dev.evenkeel.app.serve.Answer;
import dev.evenkeel.app.serve.Call;
import dev.evenkeel.app.serve.Params;
import dev.evenkeel.app.serve.Problem;
import dev.evenkeel.app.serve.Pushing;
import dev.evenkeel.app.serve.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The mock switch of the examples inside a running controller, to try things with: interfaces,
 * bridges over them, and entries of their tables are put and taken away over HTTP, and the engine
 * does the rest. A source of external configuration; any thread.
 */
public final class DemoSwitch implements ExternalSource {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int MOST = 10_000;

  private final SortedMap<String, KeyedValue<?>> values = new TreeMap<>();
  private final List<Descriptor<?, ?>> descriptors = new ArrayList<>();
  private @Nullable EventLoop loop;

  /** With an empty switch. */
  public DemoSwitch() {
    Device device = new Device();
    descriptors.addAll(NicPlugin.descriptors(device));
    descriptors.addAll(BridgePlugin.descriptors(device));
  }

  /** Of the values that it has. */
  public List<Descriptor<?, ?>> descriptors() {
    return List.copyOf(descriptors);
  }

  /** That loop is told of changes. */
  public synchronized void serves(EventLoop told) {
    loop = told;
  }

  @Override
  public String name() {
    return "demo-switch";
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public synchronized InputState snapshot() {
    return InputState.of(values.values());
  }

  /** What can be asked of it. */
  public List<Route> routes() {
    return List.of(
        Route.put("/api/v1/demo/nic", "demo", "Puts an interface.", this::nic)
            .with("name", "string", "needed")
            .with("kind", "tap|loopback", "tap unless said otherwise")
            .with("mtu", "integer", "1500 unless said otherwise"),
        Route.put("/api/v1/demo/bridge", "demo", "Puts a bridge.", this::bridge)
            .with("name", "string", "needed")
            .with("nics", "string", "its interfaces, with commas between"),
        Route.put("/api/v1/demo/forward", "demo", "Puts an entry of a table.", this::forward)
            .with("bridge", "string", "needed")
            .with("address", "string", "needed")
            .with("nic", "string", "needed"),
        Route.delete("/api/v1/demo/value", "demo", "Takes one away.", this::delete)
            .with("key", "string", "its path; needed"));
  }

  private Answer nic(Call call) throws InterruptedException {
    Params params = call.params();
    String name = name(params, "name");
    String kind = params.text("kind").orElse("tap").toUpperCase(Locale.ROOT);
    long mtu = params.number("mtu").orElse(1500);
    if (!kind.equals("TAP") && !kind.equals("LOOPBACK")) {
      params.fault("kind", kind, "must be tap or loopback");
    }
    if (mtu > 100_000) {
      params.fault("mtu", Long.toString(mtu), "is too large to be meant");
    }
    params.check();
    return put(NicPlugin.nic(name), new Nic(Kind.valueOf(kind), (int) mtu));
  }

  private Answer bridge(Call call) throws InterruptedException {
    Params params = call.params();
    String name = name(params, "name");
    String nics = params.text("nics").orElse("");
    if (!nics.matches("[\\w.:,-]{0,500}")) {
      params.fault("nics", nics, "must be names with commas between");
    }
    params.check();
    List<String> names = List.of(nics.split(",", -1)).stream().filter(n -> !n.isEmpty()).toList();
    return put(BridgePlugin.bridge(name), new Bridge(names));
  }

  private Answer forward(Call call) throws InterruptedException {
    Params params = call.params();
    String bridge = name(params, "bridge");
    String address = name(params, "address");
    String nic = name(params, "nic");
    params.check();
    return put(BridgePlugin.forward(bridge, address), new Forward(bridge, nic));
  }

  private static String name(Params params, String field) {
    String name = params.required(field);
    if (!name.isEmpty() && !name.matches("[\\w.:-]{1,100}")) {
      params.fault(field, name, "must be letters, digits, dots, colons and dashes");
    }
    return name;
  }

  private <V> Answer put(Key<V> key, V value) throws InterruptedException {
    synchronized (this) {
      if (values.size() >= MOST) {
        throw Problem.of(503, "the mock switch holds no more than " + MOST + " values");
      }
      values.put(key.path(), new KeyedValue<>(key, value));
    }
    return push(key, Optional.of(value));
  }

  private Answer delete(Call call) throws InterruptedException {
    String path = call.params().required("key");
    call.params().check();
    KeyedValue<?> gone;
    synchronized (this) {
      gone = values.remove(path);
    }
    if (gone == null) {
      throw Problem.of(404, "the mock switch was not given " + path);
    }
    return push(gone.key(), Optional.empty());
  }

  private Answer push(Key<?> key, Optional<Object> value) throws InterruptedException {
    EventLoop told;
    synchronized (this) {
      told = loop;
    }
    if (told == null) {
      throw Problem.of(503, "the controller is only starting");
    }
    SortedMap<Key<?>, Optional<Object>> changes = new TreeMap<>(Map.of(key, value));
    try {
      Outcome<Void> outcome = Pushing.push(told, new ExternalChange(name(), changes)).await(LIMIT);
      return Answer.json(
          Map.of(
              "key",
              key.path(),
              "outcome",
              outcome.word(),
              "failures",
              outcome.failures().stream().map(Object::toString).toList()));
    } catch (TimeoutException stillRuns) {
      return Answer.accepted(Map.of("key", key.path()));
    }
  }
}
