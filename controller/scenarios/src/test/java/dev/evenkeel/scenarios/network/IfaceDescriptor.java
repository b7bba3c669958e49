package dev.evenkeel.scenarios.network;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.StepContext;

/** How interfaces get into the kernel; the kernel numbers them. */
record IfaceDescriptor(Kernel kernel) implements Descriptor<Iface, Integer> {
  @Override
  public String name() {
    return "interfaces";
  }

  @Override
  public KeyType<Iface> type() {
    return Iface.Named.TYPE;
  }

  @Override
  public Integer create(Key<Iface> key, Iface value, StepContext context) {
    return kernel.addInterface(((Iface.Named) key).name(), value.address());
  }

  @Override
  public void delete(Key<Iface> key, Iface value, Integer index, StepContext context) {
    kernel.removeInterface(((Iface.Named) key).name());
  }
}
