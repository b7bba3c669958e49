package dev.evenkeel.app.serve;

import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.LoopListener;
import dev.evenkeel.api.loop.LoopState;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells the ended events to those who listen. The loop's thread hands a record over and never
 * waits; a thread of this one writes it down once and puts it before every client; each client is
 * written to by the server as fast as it reads. Who reads too slowly misses some, and is told how
 * many.
 */
public final class EventStream implements LoopListener, AutoCloseable {
  private static final int MOST_WAITING = 2_000;
  private static final int MOST_AT_ONCE = 250;
  private static final long HEARTBEAT_SECONDS = 10;
  private static final long GATHER_NANOS = 25_000_000;
  private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

  private final BlockingQueue<Told> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Set<StreamClient> clients = ConcurrentHashMap.newKeySet();
  private final AtomicLong lost = new AtomicLong();
  private final LongAdder missed = new LongAdder();
  private final Thread writer = new Thread(this::run, "evenkeel-stream");
  private volatile boolean listened;
  private volatile boolean closed;

  /** Something to be told. */
  private sealed interface Told {
    record Ended(EventRecord record) implements Told {}

    record State(LoopState state) implements Told {}
  }

  /** Begins. */
  public EventStream() {
    writer.setDaemon(true);
    writer.start();
  }

  @Override
  public void onEnd(EventRecord record) {
    if (listened && !waiting.offer(new Told.Ended(record))) {
      lost.incrementAndGet();
    }
  }

  @Override
  public void onState(LoopState before, LoopState after) {
    if (listened && !waiting.offer(new Told.State(after))) {
      lost.incrementAndGet();
    }
  }

  /** How many listen. */
  public int clients() {
    return clients.size();
  }

  /** How many messages were not told to somebody who reads too slowly, over all. */
  public long missed() {
    return missed.sum();
  }

  LongAdder missedCounter() {
    return missed;
  }

  /** Shows its numbers in a registry. */
  public void bind(MeterRegistry registry) {
    Gauge.builder("evenkeel.http.stream.clients", this, EventStream::clients)
        .description("listeners of the stream of events")
        .register(registry);
    FunctionCounter.builder("evenkeel.http.stream.missed", this, EventStream::missed)
        .description("messages that slow listeners have missed")
        .register(registry);
  }

  /** One more listens, unless that would be too many. */
  synchronized boolean add(StreamClient client, int most) {
    clients.removeIf(StreamClient::hasEnded);
    if (closed || clients.size() >= most) {
      return false;
    }
    clients.add(client);
    listened = true;
    return true;
  }

  private void run() {
    List<Told> batch = new ArrayList<>();
    while (!closed) {
      try {
        Told first = waiting.poll(HEARTBEAT_SECONDS, TimeUnit.SECONDS);
        if (first == null) {
          broadcast(HEARTBEAT, 0);
          continue;
        }
        // What comes in quick succession goes out as one: writing is what a stream costs.
        LockSupport.parkNanos(GATHER_NANOS);
        batch.add(first);
        int unused = waiting.drainTo(batch, MOST_AT_ONCE);
        long lostByAll = lost.getAndSet(0);
        if (lostByAll > 0) {
          missed.add(lostByAll);
          broadcast(gap(lostByAll), 0);
        }
        if (listened) {
          broadcast(text(batch), batch.size());
        }
        batch.clear();
      } catch (InterruptedException close) {
        return;
      }
    }
  }

  private void broadcast(byte[] text, int messages) {
    for (StreamClient client : clients) {
      client.offer(text, messages);
    }
    if (clients.removeIf(StreamClient::hasEnded)) {
      synchronized (this) {
        listened = !clients.isEmpty();
      }
    }
  }

  private static byte[] text(List<Told> batch) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    batch.forEach(told -> all.writeBytes(text(told)));
    return all.toByteArray();
  }

  private static byte[] text(Told told) {
    if (told instanceof Told.Ended ended) {
      return message(
          "event", Long.toString(ended.record().sequence()), Trees.event(ended.record()));
    }
    return message("state", "", Map.of("state", Trees.word(((Told.State) told).state())));
  }

  /** What a client is told that has missed some. */
  static byte[] gap(long count) {
    return message("gap", "", Map.of("missed", count));
  }

  private static byte[] message(String name, String id, Object tree) {
    String head = "event: " + name + "\n" + (id.isEmpty() ? "" : "id: " + id + "\n") + "data: ";
    byte[] data = JsonText.of(tree);
    byte[] start = head.getBytes(StandardCharsets.US_ASCII);
    byte[] all = new byte[start.length + data.length + 2];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(data, 0, all, start.length, data.length);
    all[all.length - 2] = '\n';
    all[all.length - 1] = '\n';
    return all;
  }

  /** Tells nobody any more. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      listened = false;
    }
    writer.interrupt();
    clients.forEach(StreamClient::end);
    clients.clear();
  }
}
