package dev.evenkeel.store.rados;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.InvalidInputException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a RADOS store is reached and laid out. Made by the program that opens the store; immutable,
 * any thread. Keys of cephx stay in their keyring file: none is held or printed here.
 *
 * @param conf the cluster's {@code ceph.conf}; empty: monitors are given as options
 * @param user the cephx user, without {@code client.}
 * @param keyring the user's keyring file; empty: where {@code conf} says
 * @param pool for every kind that has no pool of its own
 * @param pools pools of single kinds, by {@link dev.evenkeel.api.KeyType#name()}
 * @param namespace of all objects; empty for the default one
 * @param instance last part of the names of directory objects, as in {@code csi.volumes.default};
 *     one for each independent driver
 * @param shards directory objects for each kind, 1 to 1,024; it cannot be changed later. With one,
 *     they are where ceph-csi has them
 * @param clusterId as ceph-csi names the cluster in volume ids; empty: ids of records that it wrote
 *     are their UUIDs
 * @param connectLimit how long opening may wait for the monitors
 * @param callLimit how long the cluster may take for one operation
 * @param pollEvery how often a watch looks for itself, behind the notifications
 * @param options further options of librados, by name
 */
@Experimental
public record RadosSettings(
    Optional<Path> conf,
    String user,
    Optional<Path> keyring,
    String pool,
    SortedMap<String, String> pools,
    String namespace,
    String instance,
    int shards,
    String clusterId,
    Duration connectLimit,
    Duration callLimit,
    Duration pollEvery,
    SortedMap<String, String> options) {

  /** Checks everything; throws {@link InvalidInputException}. */
  public RadosSettings {
    pools = copy(pools);
    options = copy(options);
    check("user", user, !user.isEmpty());
    check("pool", pool, !pool.isEmpty());
    check("instance", instance, !instance.isEmpty());
    check("shards", Integer.toString(shards), shards >= 1 && shards <= 1_024);
    check("connectLimit", connectLimit.toString(), connectLimit.toMillis() > 0);
    check("callLimit", callLimit.toString(), callLimit.toMillis() >= 1_000);
    check("pollEvery", pollEvery.toString(), pollEvery.toMillis() > 0);
  }

  /** A cluster's configuration, user and pool; the rest as usual. */
  public static RadosSettings of(Path conf, String user, String pool) {
    return new RadosSettings(
        Optional.of(conf),
        user,
        Optional.empty(),
        pool,
        new TreeMap<>(),
        "",
        "default",
        1,
        "",
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(5),
        new TreeMap<>());
  }

  /** The same with a keyring file. */
  public RadosSettings withKeyring(Path file) {
    return new RadosSettings(
        conf,
        user,
        Optional.of(file),
        pool,
        pools,
        namespace,
        instance,
        shards,
        clusterId,
        connectLimit,
        callLimit,
        pollEvery,
        options);
  }

  /** The same with another pool for one kind. */
  public RadosSettings withPool(String kind, String itsPool) {
    SortedMap<String, String> more = new TreeMap<>(pools);
    more.put(kind, itsPool);
    return new RadosSettings(
        conf,
        user,
        keyring,
        pool,
        more,
        namespace,
        instance,
        shards,
        clusterId,
        connectLimit,
        callLimit,
        pollEvery,
        options);
  }

  /** The same in a namespace. */
  public RadosSettings inNamespace(String newNamespace) {
    return new RadosSettings(
        conf,
        user,
        keyring,
        pool,
        pools,
        newNamespace,
        instance,
        shards,
        clusterId,
        connectLimit,
        callLimit,
        pollEvery,
        options);
  }

  /** The same for another instance, with so many directory objects for each kind. */
  public RadosSettings forInstance(String newInstance, int newShards) {
    return new RadosSettings(
        conf,
        user,
        keyring,
        pool,
        pools,
        namespace,
        newInstance,
        newShards,
        clusterId,
        connectLimit,
        callLimit,
        pollEvery,
        options);
  }

  /** The same with the cluster's id in volume ids. */
  public RadosSettings withClusterId(String newClusterId) {
    return new RadosSettings(
        conf,
        user,
        keyring,
        pool,
        pools,
        namespace,
        instance,
        shards,
        newClusterId,
        connectLimit,
        callLimit,
        pollEvery,
        options);
  }

  /** The same with other times. */
  public RadosSettings within(Duration newConnect, Duration newCall, Duration newPoll) {
    return new RadosSettings(
        conf,
        user,
        keyring,
        pool,
        pools,
        namespace,
        instance,
        shards,
        clusterId,
        newConnect,
        newCall,
        newPoll,
        options);
  }

  /** The same with an option of librados. */
  public RadosSettings withOption(String name, String value) {
    SortedMap<String, String> more = new TreeMap<>(options);
    more.put(name, value);
    return new RadosSettings(
        conf,
        user,
        keyring,
        pool,
        pools,
        namespace,
        instance,
        shards,
        clusterId,
        connectLimit,
        callLimit,
        pollEvery,
        more);
  }

  /** Without the values of options, which may hold anything. */
  @Override
  public String toString() {
    return "RadosSettings[client."
        + user
        + ", pool "
        + pool
        + ", namespace '"
        + namespace
        + "', instance "
        + instance
        + ", shards "
        + shards
        + "]";
  }

  /** The pool of a kind. */
  String poolOf(String kind) {
    return pools.getOrDefault(kind, pool);
  }

  private static SortedMap<String, String> copy(Map<String, String> map) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }

  private static void check(String field, String value, boolean good) {
    if (!good) {
      throw InvalidInputException.of("settings of the RADOS store", field, value, "is not usable");
    }
  }
}
