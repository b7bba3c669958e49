package dev.evenkeel.bench.loop;

import com.sun.management.OperatingSystemMXBean;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** How much of one core the whole process uses while nothing happens. */
public final class IdleMeasure implements Fork.Measure {
  /** For the fork. */
  public IdleMeasure() {}

  @Override
  public Map<String, Double> measure(String name, Plan plan) {
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (Contestant contestant = Contestants.of(name)) {
      for (int i = 0; i < Contestant.WINDOW; i++) {
        contestant.take(contestant.push(new Item(i)));
      }
      sleep(plan.millis()); // whatever the JVM does afterwards
      long cpu = process.getProcessCpuTime();
      long from = System.nanoTime();
      sleep((long) plan.iterations() * plan.millis());
      double share = (double) (process.getProcessCpuTime() - cpu) / (System.nanoTime() - from);
      return Map.of("percent", 100 * share);
    }
  }

  private static void sleep(long millis) {
    long until = System.nanoTime() + millis * 1_000_000;
    long left = until - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = until - System.nanoTime();
    }
  }
}
