package dev.evenkeel.scenarios.network;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/**
 * What an operator has stored: traffic to a network goes through a workload.
 *
 * @param workload which one
 */
record RouteRule(String workload) {
  /** By destination. */
  record For(String network) implements Key<RouteRule> {
    static final KeyType<RouteRule> TYPE =
        KeyType.named("route-rule", "/config/routes/", RouteRule.class, For::new);

    @Override
    public String path() {
      return KeyPaths.join(TYPE.prefix(), network);
    }

    @Override
    public KeyType<RouteRule> type() {
      return TYPE;
    }
  }
}
