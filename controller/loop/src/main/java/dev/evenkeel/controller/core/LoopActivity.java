package dev.evenkeel.controller.core;

import dev.evenkeel.controller.flight.HandlerEvent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the core's thread is doing just now, for whoever watches it: whose code it is in, and for
 * which event. Written by that thread alone: mostly one number, with a release, so that it costs a
 * call of a handler next to nothing. Another thread reads what was true a moment ago; of a thread
 * that stands still, what is true.
 */
public final class LoopActivity {
  private static final VarHandle DOING;
  private static final String[] CALLS = {"handlesEvent", "update", "resync", "revert", "onRevert"};

  /** A method of a handler. */
  static final int ASKED = 0;

  static final int UPDATES = 1;
  static final int RESYNCS = 2;
  static final int REVERTS = 3;

  /** The undo log's entries run, whoever they are of. */
  static final int UNDOES = 4;

  private static final int NONE = 0;
  private static final int OUTSIDE = -1;

  static {
    try {
      DOING = MethodHandles.lookup().findVarHandle(LoopActivity.class, "doing", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final String loop;
  private final List<String> handlers;
  private @Nullable HandlerEvent flight;
  private boolean failed;

  /** The event of the turn, while there is one. */
  private @Nullable EventRun event;

  private boolean hasEvent;

  /** The event of the last call of a handler. */
  private @Nullable EventRun run;

  // The call on the outside.
  private String owner = "";
  private String call = "";

  @SuppressWarnings("unused") // through the handle
  private int doing;

  LoopActivity(String loop, List<String> handlers) {
    this.loop = loop;
    this.handlers = handlers;
  }

  /**
   * What it is doing.
   *
   * @param owner handler, or owner of a call on the outside; absent between two of them
   * @param call the method of the handler, or the call; empty between two of them
   * @param event number and type of the event; absent when none is known
   * @param sequence of the event
   */
  public record Doing(
      Optional<String> owner, String call, Optional<String> event, Optional<Long> sequence) {
    /** In words. */
    public String text() {
      String what = owner.map(o -> o + " " + call).orElse("the loop's own work");
      return what + event.map(e -> " for event " + e).orElse("");
    }
  }

  /** A turn is about that event. */
  void event(EventRun about) {
    if (event != about) {
      event = about;
    }
    hasEvent = true;
  }

  /**
   * A method of a handler is called.
   *
   * @param handler its place among all
   * @param method one of the numbers above
   */
  void enter(EventRun about, int handler, int method) {
    if (run != about) {
      run = about;
    }
    failed = false;
    flight = HandlerEvent.start();
    DOING.setRelease(this, 1 + handler * CALLS.length + method);
  }

  /** A call on the outside is made on the core's own thread. Core's thread. */
  public void enter(String who, String what) {
    owner = who;
    call = what;
    DOING.setRelease(this, OUTSIDE);
  }

  /** The call of the handler fails. */
  void failed() {
    failed = true;
  }

  /** It is over. Core's thread. */
  public void leave() {
    HandlerEvent recorded = flight;
    if (recorded != null) {
      EventRun about = run;
      if (about != null && doing > NONE) {
        recorded.over(
            loop, about.typeName(), about.sequence, owner(doing), CALLS[method(doing)], failed);
      }
      flight = null;
    }
    DOING.setRelease(this, NONE);
  }

  private static int method(int what) {
    return (what - 1) % CALLS.length;
  }

  private String owner(int what) {
    int handler = (what - 1) / CALLS.length;
    return method(what) == UNDOES ? "the undo log" : handlers.get(handler);
  }

  /** The turn is over. */
  void none() {
    hasEvent = false;
    DOING.setRelease(this, NONE);
  }

  /** The event of the last turn may be held by nobody here. */
  void forget() {
    event = null;
    run = null;
  }

  /** What it is doing. Any thread. */
  public Doing now() {
    int what = (int) DOING.getAcquire(this);
    EventRun about = what > NONE && run != null ? run : hasEvent ? event : null;
    return new Doing(
        what == NONE ? Optional.empty() : Optional.of(what > NONE ? owner(what) : owner),
        what == NONE ? "" : what > NONE ? CALLS[method(what)] : call,
        Optional.ofNullable(about).map(e -> e.id() + " " + e.typeName()),
        Optional.ofNullable(about).map(e -> e.sequence).filter(number -> number >= 0));
  }
}
