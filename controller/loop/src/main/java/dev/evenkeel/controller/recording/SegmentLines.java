package dev.evenkeel.controller.recording;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.controller.recording.RecorderOptions.Durability;
import dev.evenkeel.controller.recording.RecorderOptions.WhenSlow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of segments, written by a thread of its own. The loop hands lines over, and waits only
 * when as many wait as may, or with {@link Durability#SYNC} before an effect. All that has come
 * meanwhile is written and forced together.
 */
final class SegmentLines implements Lines {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentLines.class);
  private static final int BATCH = 1024;

  /** What the writer is handed. */
  private static final class Item {
    final byte[] line;
    final boolean begins;
    final boolean ends;
    final @Nullable CountDownLatch forced;

    private Item(byte[] line, boolean begins, boolean ends, @Nullable CountDownLatch forced) {
      this.line = line;
      this.begins = begins;
      this.ends = ends;
      this.forced = forced;
    }

    static Item line(byte[] line) {
      return new Item(line, false, false, null);
    }

    static Item segment(byte[] header) {
      return new Item(header, true, false, null);
    }

    static Item force(boolean ends, CountDownLatch forced) {
      return new Item(new byte[0], false, ends, forced);
    }
  }

  private final RecorderOptions options;
  private final BlockingQueue<Item> queue;
  private final SegmentFiles files;
  private final Thread writer;
  private volatile @Nullable Throwable failed;

  // The loop's thread.
  private boolean anyUnforced;
  private long dropped;
  private volatile boolean ended;

  SegmentLines(Path folder, RecorderOptions options) {
    this.options = options;
    this.queue = new ArrayBlockingQueue<>(options.queue());
    this.files = SegmentFiles.in(folder, options.durability() != Durability.NONE);
    this.writer = new Thread(this::write, "recording-writer");
    writer.setDaemon(true);
    writer.start();
  }

  @Override
  public void line(byte[] line) {
    if (ended) {
      throw new IllegalStateException("the recording has been closed");
    }
    anyUnforced = true;
    if (dropped > 0 && !resumes()) {
      dropped++;
      return;
    }
    hand(Item.line(line));
  }

  /** Whether there is room again; then a marker says what is missing. */
  private boolean resumes() {
    if (queue.remainingCapacity() <= options.queue() / 2) {
      return false;
    }
    Item marker = Item.line(Line.of(Trees.of("dropped", dropped)));
    if (!queue.offer(marker)) {
      return false;
    }
    LOG.warn("The recording lacks {} lines: its disk does not follow", dropped);
    dropped = 0;
    return true;
  }

  private void hand(Item item) {
    check();
    if (queue.offer(item)) {
      return;
    }
    if (options.whenSlow() == WhenSlow.STOP) {
      throw FileLines.cannotWrite(new IllegalStateException("its disk does not follow"));
    }
    if (options.whenSlow() == WhenSlow.DROP) {
      dropped++;
      return;
    }
    put(item);
  }

  private void check() {
    Throwable why = failed;
    if (why != null) {
      throw why instanceof EvenkeelException known ? known : FileLines.cannotWrite(why);
    }
  }

  /** Waits for room; an interrupt is kept for whoever it is meant for. */
  private void put(Item item) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          queue.put(item);
          break;
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    check();
  }

  @Override
  public void input() {
    // Forced before the first effect.
  }

  @Override
  public void effect() {
    if (options.durability() != Durability.SYNC || !anyUnforced) {
      return;
    }
    CountDownLatch forced = new CountDownLatch(1);
    check();
    put(Item.force(false, forced));
    await(forced);
    check();
    anyUnforced = false;
  }

  private static void await(CountDownLatch forced) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          forced.await();
          return;
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void segment(byte[] header) {
    check();
    put(Item.segment(header));
  }

  @Override
  public void close() {
    if (ended) {
      return;
    }
    ended = true;
    if (dropped > 0) {
      put(Item.line(Line.of(Trees.of("dropped", dropped))));
    }
    CountDownLatch over = new CountDownLatch(1);
    put(Item.force(true, over));
    await(over);
    check();
  }

  // The writer's thread.

  private void write() {
    List<Item> batch = new ArrayList<>();
    boolean goesOn = true;
    while (goesOn) {
      batch.clear();
      try {
        batch.add(queue.take());
      } catch (InterruptedException never) {
        continue; // Nobody but this class knows the thread.
      }
      queue.drainTo(batch, BATCH - 1);
      if (failed == null) {
        try {
          write(batch);
        } catch (Exception | Error thrown) {
          failed = thrown;
          LOG.error("The recording cannot be written any more", thrown);
        }
      }
      goesOn = batch.stream().noneMatch(item -> item.ends);
      if (!goesOn) {
        closeFiles();
      }
      release(batch);
    }
  }

  private void write(List<Item> batch) throws Exception {
    boolean mustForce = options.durability() == Durability.ASYNC && queue.isEmpty();
    for (Item item : batch) {
      if (item.begins) {
        files.begin();
      }
      files.write(item.line);
      mustForce |= item.forced != null;
    }
    files.flush(mustForce);
  }

  private void closeFiles() {
    try {
      files.close();
    } catch (Exception | Error thrown) {
      failed = failed == null ? thrown : failed;
      LOG.error("The recording cannot be closed", thrown);
    }
  }

  private static void release(List<Item> batch) {
    for (Item item : batch) {
      CountDownLatch forced = item.forced;
      if (forced != null) {
        forced.countDown();
      }
    }
  }
}
