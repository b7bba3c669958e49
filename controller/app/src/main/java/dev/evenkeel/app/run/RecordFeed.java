package dev.evenkeel.app.run;

import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.LoopListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Hands the records of ended events from the loop's thread to the one that shows them. */
final class RecordFeed implements LoopListener {
  private static final int MOST = 10_000;

  private final BlockingQueue<EventRecord> ended = new ArrayBlockingQueue<>(MOST);

  /** Never waits: when nobody has shown the last {@value #MOST}, the new one is not shown. */
  @Override
  public void onEnd(EventRecord record) {
    boolean unused = ended.offer(record);
  }

  /** The next record, or nothing after that long. */
  Optional<EventRecord> poll(Duration limit) throws InterruptedException {
    return Optional.ofNullable(ended.poll(limit.toNanos(), TimeUnit.NANOSECONDS));
  }
}
