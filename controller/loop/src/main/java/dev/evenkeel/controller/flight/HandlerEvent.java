package dev.evenkeel.controller.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** One call of one handler. */
@Name("evenkeel.Handler")
@Label("Handler Call")
@Description("One call of one handler for one event")
@Category({"Evenkeel", "Loop"})
@Threshold("1 ms")
@StackTrace(false)
public final class HandlerEvent extends Event {
  private static final HandlerEvent SWITCH = new HandlerEvent();

  @Label("Loop")
  String loop = "";

  @Label("Event Type")
  String eventType = "";

  @Label("Sequence")
  @Description("Number of the event in the history; negative when it has none")
  long sequence;

  @Label("Handler")
  String handler = "";

  @Label("Call")
  @Description("update, resync, revert, handlesEvent, onRevert")
  String call = "";

  @Label("Failed")
  boolean failed;

  private HandlerEvent() {}

  /** Begins, or null when nobody records calls. */
  public static @Nullable HandlerEvent start() {
    if (!SWITCH.isEnabled()) {
      return null;
    }
    HandlerEvent event = new HandlerEvent();
    event.begin();
    return event;
  }

  /** The call is over. */
  public void over(
      String ofLoop, String type, long number, String who, String what, boolean hasFailed) {
    end();
    if (shouldCommit()) {
      loop = ofLoop;
      eventType = type;
      sequence = number;
      handler = who;
      call = what;
      failed = hasFailed;
      commit();
    }
  }
}
