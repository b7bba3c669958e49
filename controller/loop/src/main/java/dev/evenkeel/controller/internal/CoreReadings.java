package dev.evenkeel.controller.internal;

import dev.evenkeel.api.loop.LoopStatus;
import dev.evenkeel.api.loop.Stall;
import dev.evenkeel.controller.core.Limits;
import dev.evenkeel.controller.core.LoopCore;
import dev.evenkeel.controller.metrics.LoopReadings;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What a driver and its core tell of themselves. Any thread.
 *
 * @param driver how the driver stands
 * @param watch how many stalls passed a threshold
 * @param executor where series are registered
 */
public record CoreReadings(
    String name,
    LoopCore core,
    Supplier<LoopStatus> driver,
    Refusals refusals,
    ToLongFunction<Stall.Level> watch,
    Executor executor)
    implements LoopReadings {
  @Override
  public LoopStatus status() {
    return driver.get();
  }

  @Override
  public long refused(Refusal why) {
    return refusals.count(why);
  }

  @Override
  public long stalls(Stall.Level level) {
    return watch.applyAsLong(level);
  }

  @Override
  public long healingsScheduled() {
    return core.healingsScheduled();
  }

  @Override
  public long historyRecords() {
    return core.historyRecords();
  }

  @Override
  public long historyBytes() {
    return core.historyBytes();
  }

  @Override
  public Limits limits() {
    return core.limits();
  }
}
