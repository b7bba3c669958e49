package dev.evenkeel.tck.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Clients that read a few keys and change them by compare-and-set, each on a thread of its own, and
 * what they saw. Made by tests of stores, which may break things meanwhile.
 */
@Experimental
public final class CompareAndSetClients {
  private static final int KEYS = 4;

  private final List<RegisterHistory> histories = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<Optional<Throwable>> odd = new AtomicReference<>(Optional.empty());
  private final AtomicInteger calls = new AtomicInteger();
  private final Duration patience;
  private final Duration limit;

  /**
   * Writes the first values and starts the clients.
   *
   * @param stores one for each client; the same may be given several times
   * @param rounds reads of each client, about two thirds of them followed by a compare-and-set
   * @param limit of each call
   * @param patience for the end of all clients
   */
  public CompareAndSetClients(
      List<? extends Datastore> stores, int rounds, Duration limit, Duration patience) {
    this.patience = patience;
    this.limit = limit;
    for (int key = 0; key < KEYS; key++) {
      stores.get(0).blocking().create(KeyValue.of(key(key), new Item("", 0)), call());
      histories.add(new RegisterHistory(0));
    }
    for (int client = 0; client < stores.size(); client++) {
      int number = client + 1;
      BlockingDatastore store = stores.get(client).blocking();
      Thread thread = new Thread(() -> run(store, number, rounds), "client-" + number);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** How many calls have ended. */
  public int calls() {
    return calls.get();
  }

  /** Waits for all clients; then each key's history must have an order. */
  public void check() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(patience.toMillis());
      assertFalse(thread.isAlive(), "a client has not ended within " + patience);
    }
    assertEquals(Optional.empty(), odd.get(), "a client failed");
    for (RegisterHistory history : histories) {
      assertTrue(history.size() > 0);
      assertEquals(Optional.empty(), history.check());
    }
  }

  private static ItemKey key(int number) {
    return new ItemKey("linear-" + number);
  }

  private Call call() {
    return Call.within(limit);
  }

  private void run(BlockingDatastore store, int client, int rounds) {
    Random random = new Random(client);
    try {
      for (int round = 1; round <= rounds; round++) {
        int key = random.nextInt(KEYS);
        Optional<KeyValue<Item>> seen = read(store, key);
        if (seen.isPresent() && random.nextInt(3) > 0) {
          change(store, key, seen.get(), client * 1_000_000 + round);
        }
      }
    } catch (RuntimeException | AssertionError failed) {
      odd.set(Optional.of(failed));
    }
  }

  private Optional<KeyValue<Item>> read(BlockingDatastore store, int key) {
    RegisterHistory history = histories.get(key);
    long began = history.begin();
    try {
      KeyValue<Item> seen = store.get(key(key), call());
      history.read(began, seen.value().orElseThrow().number());
      return Optional.of(seen);
    } catch (DatastoreException.DoesNotExist lost) {
      throw lost;
    } catch (EvenkeelException unanswered) {
      return Optional.empty();
    } finally {
      calls.incrementAndGet();
    }
  }

  private void change(BlockingDatastore store, int key, KeyValue<Item> seen, int value) {
    RegisterHistory history = histories.get(key);
    int expected = seen.value().orElseThrow().number();
    long began = history.begin();
    try {
      var unused = store.update(seen.with(new Item("", value)), call());
      history.compareAndSet(began, expected, value, true);
    } catch (DatastoreException.UpdateConflict refused) {
      history.compareAndSet(began, expected, value, false);
    } catch (DatastoreException.DoesNotExist lost) {
      throw lost;
    } catch (EvenkeelException unknown) {
      history.unknown(began, expected, value);
    } finally {
      calls.incrementAndGet();
    }
  }
}
