package dev.evenkeel.tck.datastore;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

/**
 * What the contracts of datastores share: {@link ClientContract}, {@link BatchContract} and {@link
 * WatchContract}. An author extends each of the three, gives an empty store for each test, and
 * passes. Abilities that the store does not declare are not asked for; that it then refuses them is
 * tested. Tests are numbered as in the datastore reference.
 *
 * <p>Two scenarios are not here: SY-20 and SY-31 are about kinds of key that a store does not take,
 * and there are none; SY-19 is about a store whose write can be done while its answer is not.
 */
public abstract class DatastoreContract {
  private Datastore store;

  /** For subclasses. */
  @SuppressWarnings("NullAway.Init") // each test begins with open
  protected DatastoreContract() {}

  /** An empty store, for one test; the contract closes it. */
  protected abstract Datastore open() throws Exception;

  /**
   * Stores bytes that cannot be decoded under a path, behind the client's back. A store that cannot
   * have such bytes leaves it as it is, and the tests that need it are left out.
   */
  protected void putGarbage(Datastore target, String path, byte[] bytes) {
    abort("this store offers no way to put undecodable bytes");
  }

  /** Forgets the store's history. Left as it is, the tests that need it are left out. */
  protected void compact(Datastore target) {
    abort("this store offers no way to forget its history");
  }

  /** Lets time pass for the store; by default it really passes. */
  protected void passTime(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    eventually("the time to pass", () -> System.nanoTime() - end >= 0);
  }

  /** How long the contract waits for what must happen; long, since only a failure waits it out. */
  protected Duration patience() {
    return Duration.ofSeconds(20);
  }

  @BeforeEach
  final void openStore() throws Exception {
    store = open();
  }

  @AfterEach
  final void closeStore() {
    store.close();
  }

  final Datastore store() {
    return store;
  }

  final BlockingDatastore calls() {
    return store.blocking();
  }

  final void need(Capability ability) {
    assumeTrue(
        store.capabilities().contains(ability), () -> "this store does not declare " + ability);
  }

  final void needLackOf(Capability ability) {
    assumeFalse(store.capabilities().contains(ability), () -> "this store declares " + ability);
  }

  static Call call() {
    return Call.usual();
  }

  static ItemKey key(String name) {
    return new ItemKey(name);
  }

  static Item item(int number) {
    return new Item("text \u00e4 \"quoted\"", number);
  }

  final KeyValue<Item> create(Key<Item> key, int number) {
    return calls().create(KeyValue.of(key, item(number)), call());
  }

  final KeyValue<Item> apply(Key<Item> key, int number) {
    return calls().apply(KeyValue.of(key, item(number)), call());
  }

  final Revision latest() {
    return calls().list(ListOptions.all(ItemKey.TYPE), call()).revision();
  }

  final List<String> paths(ListOptions<Item> options) {
    return calls().list(options, call()).items().stream().map(pair -> pair.key().path()).toList();
  }

  static <T extends Throwable> T refused(Class<T> type, Executable body) {
    return assertThrows(type, body);
  }

  final void eventually(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + patience().toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, () -> "not within " + patience() + ": " + what);
      java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
    }
  }
}
