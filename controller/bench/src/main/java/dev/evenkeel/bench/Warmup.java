package dev.evenkeel.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** Runs until the code is compiled: on a busy machine that takes longer than any fixed time. */
public final class Warmup {
  private static final int MOST = 10;
  private static final long QUIET_MILLIS = 5;

  private Warmup() {}

  /**
   * As many times as the plan says, and then until the compiler was all but idle during one; ten
   * times as often at most.
   */
  public static void run(Plan plan, Runnable iteration) {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    long before = compiler.getTotalCompilationTime();
    for (int done = 1; done <= MOST * plan.warmups(); done++) {
      iteration.run();
      long now = compiler.getTotalCompilationTime();
      if (done >= plan.warmups() && now - before < QUIET_MILLIS) {
        return;
      }
      before = now;
    }
  }
}
