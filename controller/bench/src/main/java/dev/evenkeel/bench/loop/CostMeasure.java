package dev.evenkeel.bench.loop;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Warmup;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;

/**
 * What one event costs in bytes allocated and in processor time, on the pusher's thread and on all
 * threads of the contestant together. Counted by the JVM for each thread, so that other load does
 * not matter much. The pushed events are made before, and are the user's.
 */
public final class CostMeasure implements Fork.Measure {
  private static final int ITEMS = 1 << 14;
  private static final int PART = PushBenchmark.PART;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final OperatingSystemMXBean process =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final Item[] items = new Item[ITEMS];
  private final Object[] window = new Object[Contestant.WINDOW];
  private int next;

  /** For the fork. */
  public CostMeasure() {
    Arrays.setAll(items, Item::new);
  }

  @Override
  public Map<String, Double> measure(String name, Plan plan) {
    try (Contestant contestant = Contestants.of(name)) {
      push(contestant, Contestants.recordsIn(name)); // a full history, to begin with
      Warmup.run(plan, () -> pushFor(contestant, plan.millis()));
      long[] others = others();
      long myBytes = bytes(Thread.currentThread().getId());
      long theirBytes = bytes(others);
      long myNanos = nanos(Thread.currentThread().getId());
      long theirNanos = nanos(others);
      long processNanos = process.getProcessCpuTime();
      double events = pushFor(contestant, (long) plan.iterations() * plan.millis());
      return Map.of(
          "process ns", (process.getProcessCpuTime() - processNanos) / events,
          "pusher bytes", (bytes(Thread.currentThread().getId()) - myBytes) / events,
          "other bytes", (bytes(others) - theirBytes) / events,
          "pusher ns", (nanos(Thread.currentThread().getId()) - myNanos) / events,
          "other ns", (nanos(others) - theirNanos) / events);
    }
  }

  /** The contestant's threads: all that are not the JVM's own and not this one. */
  private static long[] others() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread != Thread.currentThread())
        .filter(thread -> thread.getThreadGroup() != null)
        .filter(thread -> !thread.getThreadGroup().getName().equals("system"))
        .mapToLong(Thread::getId)
        .toArray();
  }

  private long bytes(long... ids) {
    return Arrays.stream(threads.getThreadAllocatedBytes(ids)).sum();
  }

  private long nanos(long... ids) {
    return Arrays.stream(ids).map(threads::getThreadCpuTime).sum();
  }

  private long pushFor(Contestant contestant, long millis) {
    long until = System.nanoTime() + millis * 1_000_000;
    long events = 0;
    while (System.nanoTime() - until < 0) {
      events += push(contestant, 1);
    }
    for (int i = 0; i < window.length; i++) {
      take(contestant, i);
    }
    return events;
  }

  /** As many, rounded up to whole windows. */
  private long push(Contestant contestant, long least) {
    long events = 0;
    while (events < least) {
      for (int from = 0; from < window.length; from += PART) {
        part(contestant, from);
      }
      events += window.length;
    }
    return events;
  }

  private void part(Contestant contestant, int from) {
    take(contestant, from + PART - 1);
    for (int i = from; i < from + PART; i++) {
      take(contestant, i);
    }
    for (int i = from; i < from + PART; i++) {
      window[i] = contestant.push(items[next++ & (ITEMS - 1)]);
    }
  }

  private void take(Contestant contestant, int at) {
    Object pending = window[at];
    if (pending != null) {
      contestant.take(pending);
      window[at] = null;
    }
  }
}
