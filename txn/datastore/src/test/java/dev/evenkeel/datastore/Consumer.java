package dev.evenkeel.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ParseFailCallbacks;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.SyncStatus;
import dev.evenkeel.api.datastore.SyncerCallbacks;
import dev.evenkeel.api.datastore.Update;
import dev.evenkeel.api.datastore.UpdateType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * A consumer of updates that keeps its picture, writes down what it was told, and checks the
 * invariants of datastore reference 5.2, 5.5, 5.6 and 5.7 at every call.
 */
class Consumer implements SyncerCallbacks {
  /** The same with the ability to be told of what cannot be decoded. */
  static final class Parsing extends Consumer implements ParseFailCallbacks {
    @Override
    public void parseFailed(String rawKey, Optional<byte[]> rawValue) {
      note("failed " + rawKey + rawValue.map(bytes -> " " + bytes.length).orElse(""));
    }
  }

  private final List<String> log = new ArrayList<>();
  private final List<List<String>> batches = new ArrayList<>();
  private final TreeMap<String, KeyValue<?>> picture = new TreeMap<>();
  private final AtomicReference<Thread> thread = new AtomicReference<>();
  private Optional<SyncStatus> status = Optional.empty();
  private Optional<String> broken = Optional.empty();
  final Semaphore gate = new Semaphore(1_000_000);
  final AtomicInteger entered = new AtomicInteger();
  volatile Runnable during = () -> {};

  @Override
  public void onStatusUpdated(SyncStatus now) {
    checkThread();
    synchronized (this) {
      rule(!status.equals(Optional.of(now)), "the same status twice");
      status = Optional.of(now);
    }
    note("st:" + now);
  }

  @Override
  public void onUpdates(List<Update> updates) {
    checkThread();
    entered.incrementAndGet();
    gate.acquireUninterruptibly();
    rule(!updates.isEmpty(), "an empty list");
    List<String> batch = new ArrayList<>();
    for (Update update : updates) {
      batch.add(take(update));
    }
    synchronized (this) {
      batches.add(batch);
      log.addAll(batch);
      notifyAll();
    }
    during.run();
  }

  private synchronized String take(Update update) {
    KeyValue<?> pair = update.pair();
    String path = pair.key().path();
    boolean known = picture.containsKey(path);
    switch (update.type()) {
      case NEW -> rule(!known && pair.value().isPresent(), "new " + pair);
      case UPDATED -> rule(known && pair.value().isPresent(), "updated " + pair);
      case DELETED ->
          rule(
              known && pair.value().isEmpty() && pair.revision().equals(Revision.NONE),
              "deleted " + pair);
      case UNKNOWN -> rule(false, "unknown");
    }
    if (update.type() == UpdateType.DELETED) {
      picture.remove(path);
    } else {
      picture.put(path, pair);
    }
    String name = path.substring(path.lastIndexOf('/') + 1);
    return switch (update.type()) {
      case NEW -> "new " + name + "@" + pair.revision();
      case UPDATED -> "upd " + name + "@" + pair.revision();
      default -> "del " + name;
    };
  }

  private void checkThread() {
    Thread self = Thread.currentThread();
    Thread first = thread.updateAndGet(known -> known == null ? self : known);
    rule(first == self, "two threads");
  }

  private synchronized void rule(boolean holds, String what) {
    if (!holds && broken.isEmpty()) {
      broken = Optional.of(what);
    }
  }

  synchronized void note(String line) {
    log.add(line);
    notifyAll();
  }

  synchronized List<String> log() {
    broken.ifPresent(what -> fail("a rule was broken: " + what));
    return List.copyOf(log);
  }

  synchronized List<List<String>> batches() {
    return List.copyOf(batches);
  }

  synchronized Map<String, KeyValue<?>> picture() {
    return new TreeMap<>(picture);
  }

  /** Waits until the log has these lines, and checks that it has no others. */
  void awaitLog(String... lines) {
    await(() -> log().size() >= lines.length, () -> "" + log());
    assertEquals(List.of(lines), log());
  }

  static void await(BooleanSupplier wanted, java.util.function.Supplier<String> what) {
    long end = System.nanoTime() + 20_000_000_000L;
    while (!wanted.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, () -> "not in time: " + what.get());
      java.util.concurrent.locks.LockSupport.parkNanos(500_000);
    }
  }
}
