package dev.evenkeel.store.rados;

import dev.evenkeel.api.Key;
import java.util.Map;
import java.util.TreeMap;

/** What records of ceph-csi lack, pool by pool. Immutable; any thread. */
final class Foreigners {
  private final RadosSettings settings;
  private final Map<String, Foreign> byPool = new TreeMap<>();

  Foreigners(RadosSettings settings, Cluster cluster) {
    this.settings = settings;
    cluster
        .pools()
        .forEach(pool -> byPool.put(pool, new Foreign(settings.clusterId(), cluster.poolId(pool))));
  }

  Foreign of(Key<?> key) {
    Foreign found = byPool.get(settings.poolOf(key.type().name()));
    return found == null ? new Foreign(settings.clusterId(), 0) : found;
  }
}
