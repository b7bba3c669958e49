package dev.evenkeel.scenarios.network;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/**
 * A network interface that is wanted.
 *
 * @param address of it, in CIDR form
 */
record Iface(String address) {
  /** By name. */
  record Named(String name) implements Key<Iface> {
    static final KeyType<Iface> TYPE =
        KeyType.named("interface", "/net/interfaces/", Iface.class, Named::new);

    @Override
    public String path() {
      return KeyPaths.join(TYPE.prefix(), name);
    }

    @Override
    public KeyType<Iface> type() {
      return TYPE;
    }
  }
}
