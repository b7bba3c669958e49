package dev.evenkeel.controller.flight;

import dev.evenkeel.api.loop.EventId;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** One turn of a loop. */
@Name("evenkeel.Turn")
@Label("Turn")
@Description("One input, processed by a loop to its end")
@Category({"Evenkeel", "Loop"})
@Threshold("1 ms")
@StackTrace(false)
public final class TurnEvent extends Event {
  private static final TurnEvent SWITCH = new TurnEvent();

  @Label("Loop")
  String loop = "";

  @Label("Turn")
  @Description("Its number, from 1")
  long turn;

  @Label("Input")
  @Description("Sort of input")
  String input = "";

  @Label("Event Type")
  @Description("Of an event that was pushed")
  @Nullable String eventType;

  @Label("Event")
  @Description("Id of an event that was pushed")
  @Nullable String event;

  private TurnEvent() {}

  /** Begins, or null when nobody records turns. */
  public static @Nullable TurnEvent start() {
    if (!SWITCH.isEnabled()) {
      return null;
    }
    TurnEvent event = new TurnEvent();
    event.begin();
    return event;
  }

  /**
   * The turn is over.
   *
   * @param what sort of input
   * @param id of an event that was pushed
   * @param pushed the event
   */
  public void over(
      String ofLoop,
      long number,
      String what,
      @Nullable EventId id,
      dev.evenkeel.api.event.@Nullable Event pushed) {
    end();
    if (shouldCommit()) {
      loop = ofLoop;
      turn = number;
      input = what;
      event = id == null ? null : id.toString();
      eventType = pushed == null ? null : typeOf(pushed);
      commit();
    }
  }

  /** The event is a user's, and may not be able to say its type. */
  private static String typeOf(dev.evenkeel.api.event.Event pushed) {
    try {
      return pushed.type().name();
    } catch (RuntimeException | Error thrown) {
      return pushed.getClass().getSimpleName();
    }
  }
}
