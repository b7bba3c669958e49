package dev.evenkeel.tck.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Watch;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

/**
 * What the contracts of datastores share: {@link ClientContract}, {@link BatchContract}, {@link
 * DamageContract}, and {@link WatchContract}, {@link LatestWatchContract} or, for a store that
 * cannot watch, {@link NoWatchContract}. An author extends each of the four, gives an empty store
 * for each test, and passes; no test is skipped. What a store does not declare it must refuse, by
 * type and with verb and key (SY-20), and that is tested instead. Tests are numbered as in the
 * datastore reference.
 *
 * <p>SY-19 is not here: it is about a store whose write can be done while its answer is not.
 */
public abstract class DatastoreContract {
  private Datastore store;

  /** For subclasses. */
  @SuppressWarnings("NullAway.Init") // each test begins with open
  protected DatastoreContract() {}

  /** An empty store, for one test; the contract closes it. */
  protected abstract Datastore open() throws Exception;

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

  final boolean can(Capability ability) {
    return store.capabilities().contains(ability);
  }

  /** SY-20: the answer to what a store cannot do. */
  static void assertNotSupported(String verb, String about, Executable body) {
    var refused = assertThrows(DatastoreException.NotSupported.class, body);
    assertEquals(ErrorKind.UNIMPLEMENTED, refused.kind());
    assertEquals(about, refused.identifier());
    assertTrue(refused.toString().contains(verb), refused::toString);
    assertTrue(refused.toString().contains(about), refused::toString);
  }

  static void end(Watch watch, Recorder<Item> seen) {
    watch.close();
    seen.awaitClosed();
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
