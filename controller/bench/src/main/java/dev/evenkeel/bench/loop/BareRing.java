package dev.evenkeel.bench.loop;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import java.util.concurrent.CompletableFuture;

/** The floor: a Disruptor with one stock consumer that does the puts and completes the future. */
final class BareRing implements Contestant {
  private final Puts puts = new Puts();
  private final Disruptor<Slot> disruptor =
      new Disruptor<>(
          Slot::new,
          WINDOW,
          task -> {
            Thread thread = new Thread(task, "bare");
            thread.setDaemon(true);
            return thread;
          },
          ProducerType.MULTI,
          new ParkingWait());
  private final RingBuffer<Slot> ring;

  private static final class Slot {
    Item item;
    CompletableFuture<Object> future;
  }

  BareRing() {
    disruptor.handleEventsWith((slot, sequence, last) -> work(slot));
    ring = disruptor.start();
  }

  private void work(Slot slot) {
    CompletableFuture<Object> future = slot.future;
    puts.work(slot.item);
    slot.item = null;
    slot.future = null;
    future.complete(Boolean.TRUE);
  }

  @Override
  public Object push(Item item) {
    CompletableFuture<Object> future = new CompletableFuture<>();
    long claimed = ring.next();
    Slot slot = ring.get(claimed);
    slot.item = item;
    slot.future = future;
    ring.publish(claimed);
    return future;
  }

  @Override
  public void take(Object pending) {
    Futures.get(pending);
  }

  @Override
  public void close() {
    disruptor.shutdown();
  }
}
