package dev.evenkeel.app.examples;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.InvalidField;
import java.util.List;

/** The first mock plug-in: interfaces. */
final class NicPlugin {
  /** An interface: a change of its kind needs a new one. */
  record Nic(Kind kind, int mtu) {}

  /** What sort of interface. */
  enum Kind {
    TAP,
    LOOPBACK
  }

  static final KeyType<Nic> NICS = ExampleKey.kind("nic", Nic.class);

  private NicPlugin() {}

  static Key<Nic> nic(String name) {
    return new ExampleKey<>(NICS.prefix() + name, NICS);
  }

  static List<Descriptor<?, ?>> descriptors(Device device) {
    return List.of(new NicDescriptor(device));
  }

  private static final class NicDescriptor extends MockDescriptor<Nic> {
    NicDescriptor(Device device) {
      super("nics", NICS, device);
    }

    @Override
    public List<InvalidField> validate(Key<Nic> key, Nic value) {
      return value.mtu() < 68 || value.mtu() > 9000
          ? List.of(new InvalidField("mtu", "must be 68 to 9000, and is " + value.mtu()))
          : List.of();
    }

    @Override
    boolean replaces(Nic before, Nic after) {
      return before.kind() != after.kind();
    }
  }
}
