package dev.evenkeel.app.examples;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.Descriptor;
import java.util.ArrayList;
import java.util.List;

/**
 * The second mock plug-in: a bridge, whose ports derive from it and need their interfaces, and the
 * entries of its forwarding table, which need their ports.
 */
final class BridgePlugin {
  /** A bridge over interfaces. */
  record Bridge(List<String> nics) {
    Bridge {
      nics = List.copyOf(nics);
    }
  }

  /** That an interface belongs to a bridge. */
  record Port(String bridge, String nic) {}

  /** Where frames to an address go. */
  record Forward(String bridge, String nic) {}

  static final KeyType<Bridge> BRIDGES = ExampleKey.kind("bridge", Bridge.class);
  static final KeyType<Port> PORTS = ExampleKey.kind("port", Port.class);
  static final KeyType<Forward> FORWARDS = ExampleKey.kind("forward", Forward.class);

  private BridgePlugin() {}

  static Key<Bridge> bridge(String name) {
    return new ExampleKey<>(BRIDGES.prefix() + name, BRIDGES);
  }

  static Key<Port> port(String bridge, String nic) {
    return new ExampleKey<>(PORTS.prefix() + bridge + "/" + nic, PORTS);
  }

  static Key<Forward> forward(String bridge, String address) {
    return new ExampleKey<>(FORWARDS.prefix() + bridge + "/" + address, FORWARDS);
  }

  static List<Descriptor<?, ?>> descriptors(Device device) {
    return List.of(
        new BridgeDescriptor(device), new PortDescriptor(device), new ForwardDescriptor(device));
  }

  private static final class BridgeDescriptor extends MockDescriptor<Bridge> {
    BridgeDescriptor(Device device) {
      super("bridges", BRIDGES, device);
    }

    @Override
    public List<KeyedValue<?>> derived(Key<Bridge> key, Bridge value) {
      String name = key.path().substring(BRIDGES.prefix().length());
      List<KeyedValue<?>> ports = new ArrayList<>();
      for (String nic : value.nics()) {
        ports.add(new KeyedValue<>(port(name, nic), new Port(name, nic)));
      }
      return ports;
    }
  }

  private static final class PortDescriptor extends MockDescriptor<Port> {
    PortDescriptor(Device device) {
      super("ports", PORTS, device);
    }

    @Override
    public List<Dependency> dependencies(Key<Port> key, Port value) {
      return List.of(new Dependency.On("the interface", NicPlugin.nic(value.nic()).path()));
    }
  }

  private static final class ForwardDescriptor extends MockDescriptor<Forward> {
    ForwardDescriptor(Device device) {
      super("forwards", FORWARDS, device);
    }

    @Override
    public List<Dependency> dependencies(Key<Forward> key, Forward value) {
      return List.of(
          new Dependency.On("the bridge", bridge(value.bridge()).path()),
          new Dependency.On("the port", port(value.bridge(), value.nic()).path()));
    }
  }
}
