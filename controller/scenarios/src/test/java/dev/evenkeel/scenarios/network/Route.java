package dev.evenkeel.scenarios.network;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/**
 * A route that is wanted; it cannot be there without its interface.
 *
 * @param through name of the interface
 */
record Route(String through) {
  /** By destination. */
  record To(String network) implements Key<Route> {
    static final KeyType<Route> TYPE = KeyType.named("route", "/net/routes/", Route.class, To::new);

    @Override
    public String path() {
      return KeyPaths.join(TYPE.prefix(), network);
    }

    @Override
    public KeyType<Route> type() {
      return TYPE;
    }
  }
}
