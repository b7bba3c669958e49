package dev.evenkeel.controller.metrics;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.loop.LoopStatus;
import dev.evenkeel.api.loop.Stall;
import dev.evenkeel.controller.core.Limits;
import java.util.Locale;
import java.util.concurrent.Executor;

/** What is asked of a loop when its numbers are read. Implemented by Evenkeel; any thread. */
@Experimental("goes with LoopMetrics")
public interface LoopReadings {
  /** The loop's name. */
  String name();

  /** How it stands. */
  LoopStatus status();

  /** How many pushes were refused for that reason. */
  long refused(Refusal why);

  /** How many stalls have passed that threshold. */
  long stalls(Stall.Level level);

  /** How many healings were planned. */
  long healingsScheduled();

  /** How many records the history holds. */
  long historyRecords();

  /** About how much memory they take. */
  long historyBytes();

  /** How often limits were reached. */
  Limits limits();

  /** Where a series that turns up is registered: not on the loop's thread. */
  Executor executor();

  /** Why a push was refused. */
  enum Refusal {
    /** As many events wait as may. */
    FULL,
    /** The loop is closed, or closing. */
    CLOSED,
    /** Another controller leads. */
    NOT_LEADER;

    /** As it is written in metrics. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
