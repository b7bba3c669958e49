package dev.evenkeel.controller.metrics;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.controller.core.Count;

/** How often something was done, and how long it took. Written by one thread, read by any. */
@Experimental("goes with LoopMetrics")
public final class Took {
  private final Count count = new Count();
  private final Count nanos = new Count();
  private final Count most = new Count();
  private final Count failed = new Count();

  Took() {}

  void add(long took) {
    count.add(1);
    nanos.add(took);
    most.raise(took);
  }

  void failed() {
    failed.add(1);
  }

  /** How often. */
  public long count() {
    return count.get();
  }

  /** Together, in nanoseconds. */
  public long nanos() {
    return nanos.get();
  }

  /** The longest, in nanoseconds. */
  public long mostNanos() {
    return most.get();
  }

  /** How often it failed. */
  public long failures() {
    return failed.get();
  }
}
