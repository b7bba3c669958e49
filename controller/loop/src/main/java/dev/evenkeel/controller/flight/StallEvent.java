package dev.evenkeel.controller.flight;

import dev.evenkeel.api.loop.Stall;
import java.time.Duration;
import java.util.Locale;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A loop's thread does not move. */
@Name("evenkeel.Stall")
@Label("Stall")
@Description("A loop's thread does not move: a threshold has passed")
@Category({"Evenkeel", "Loop"})
@StackTrace(false)
public final class StallEvent extends Event {
  @Label("Loop")
  String loop = "";

  @Label("Level")
  @Description("Which threshold: warning, limit")
  String level = "";

  @Label("Sequence")
  @Description("Number of the event in the history; negative when none is known")
  long sequence;

  @Label("Handler")
  @Nullable String handler;

  @Label("Doing")
  String doing = "";

  @Label("Held")
  @Description("For how long, when the threshold was seen to have passed")
  @Timespan(Timespan.NANOSECONDS)
  long held;

  @Label("Waiting")
  @Description("Events that wait")
  int waiting;

  @Label("Stack")
  @Description("Where the thread was, innermost first")
  String stack = "";

  private StallEvent() {}

  /** Tells the flight recorder. */
  public static void tell(Stall stall) {
    StallEvent event = new StallEvent();
    if (event.isEnabled()) {
      event.loop = stall.loop();
      event.level = stall.level().name().toLowerCase(Locale.ROOT);
      event.sequence = stall.sequence().orElse(-1L);
      event.handler = stall.handler().orElse(null);
      event.doing = stall.doing();
      event.held = Duration.between(stall.since(), stall.fired()).toNanos();
      event.waiting = stall.waiting();
      StringBuilder frames = new StringBuilder();
      stall.stack().forEach(frame -> frames.append(frame).append('\n'));
      event.stack = frames.toString();
      event.commit();
    }
  }
}
