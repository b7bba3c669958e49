package dev.evenkeel.controller.metrics;

import dev.evenkeel.api.Experimental;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Objects;

/**
 * Where a loop's numbers go: a Micrometer registry. Given to {@code EventLoops.builder(…)}; may be
 * given to several loops, which the tag {@code loop} tells apart. The meters are registered before
 * the loop starts, read single-writer counters, and are removed when it has ended. Immutable.
 */
@Experimental("numbers may be added")
public final class LoopMetrics {
  private static final int MOST_SERIES = 100;
  private static final int MOST = 10_000;

  private final MeterRegistry registry;
  private final int mostSeries;

  private LoopMetrics(MeterRegistry registry, int mostSeries) {
    this.registry = registry;
    this.mostSeries = mostSeries;
  }

  /**
   * Numbers in that registry, whose module its user reads himself; at most 100 types of events and
   * 100 handlers get series of their own.
   */
  @SuppressWarnings("exports") // Micrometer is an automatic module: who has a registry reads it
  public static LoopMetrics in(MeterRegistry registry) {
    return new LoopMetrics(Objects.requireNonNull(registry, "registry"), MOST_SERIES);
  }

  /**
   * The same with another limit on types of events and on handlers that get series of their own;
   * those beyond it are counted together, as {@code other}.
   *
   * @param most from 1 to 10,000
   */
  public LoopMetrics mostSeries(int most) {
    if (most < 1 || most > MOST) {
      throw new IllegalArgumentException("must be from 1 to " + MOST + ": " + most);
    }
    return new LoopMetrics(registry, most);
  }

  /** What counts for one loop; called by the loop's builder. */
  public LoopTally tally() {
    return new LoopTally(mostSeries);
  }

  /** Registers a loop's numbers, before it starts; called by the loop's builder. */
  public Runnable bind(LoopTally tally, LoopReadings readings) {
    Meters meters = new Meters(registry, tally, readings);
    meters.bind();
    return meters::unbind;
  }
}
