package dev.evenkeel.controller.flight;

import dev.evenkeel.txn.Action;
import java.util.Locale;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** One call on the outside. */
@Name("evenkeel.Step")
@Label("Step")
@Description("One call on the outside: of a step, of a descriptor, of the journal")
@Category({"Evenkeel", "Loop"})
@Threshold("1 ms")
@StackTrace(false)
public final class StepEvent extends Event {
  private static final StepEvent SWITCH = new StepEvent();

  @Label("Loop")
  String loop = "";

  @Label("Transaction")
  String transaction = "";

  @Label("Kind")
  @Description("create, update, delete, retrieve, probe, apply, undo, load, journal")
  String kind = "";

  @Label("Target")
  @Description("Path of a value, or name of a step")
  String target = "";

  @Label("Owner")
  @Description("Handler that wanted it, or part of the framework")
  String owner = "";

  @Label("Failed")
  boolean failed;

  private StepEvent() {}

  /** Begins, or null when nobody records steps. */
  public static @Nullable StepEvent start() {
    if (!SWITCH.isEnabled()) {
      return null;
    }
    StepEvent event = new StepEvent();
    event.begin();
    return event;
  }

  /** The call has returned. */
  public void over(String ofLoop, String ofTransaction, Action action, boolean hasFailed) {
    end();
    if (shouldCommit()) {
      loop = ofLoop;
      transaction = ofTransaction;
      kind = action.kind().name().toLowerCase(Locale.ROOT);
      target = action.target();
      owner = action.owner();
      failed = hasFailed;
      commit();
    }
  }
}
