package dev.evenkeel.controller.core;

import dev.evenkeel.controller.flight.HandlerEvent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the core's thread is doing just now, for whoever watches it: whose code it is in, and for
 * which event. Written by that thread alone, with plain writes and one release, so that it costs a
 * call of a handler next to nothing. Another thread reads what was true a moment ago; of a thread
 * that stands still, what is true.
 */
public final class LoopActivity {
  private static final VarHandle OWNER;

  static {
    try {
      OWNER = MethodHandles.lookup().findVarHandle(LoopActivity.class, "owner", String.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final String loop;
  private @Nullable HandlerEvent flight;
  private boolean failed;
  private @Nullable EventRun event;
  private @Nullable EventRun run;
  private String call = "";

  @SuppressWarnings("unused") // through the handle
  private @Nullable String owner;

  LoopActivity(String loop) {
    this.loop = loop;
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
    event = about;
  }

  /** A method of a handler is called. */
  void enter(EventRun about, String handler, String method) {
    run = about;
    call = method;
    OWNER.setRelease(this, handler);
    failed = false;
    flight = HandlerEvent.start();
  }

  /** A call on the outside is made on the core's own thread. Core's thread. */
  public void enter(String who, String what) {
    run = null;
    call = what;
    OWNER.setRelease(this, who);
  }

  /** The call of the handler fails. */
  void failed() {
    failed = true;
  }

  /** It is over. Core's thread. */
  public void leave() {
    HandlerEvent recorded = flight;
    EventRun about = run;
    if (recorded != null && about != null && owner != null) {
      recorded.over(loop, about.typeName(), about.sequence, owner, call, failed);
    }
    flight = null;
    OWNER.setRelease(this, null);
  }

  /** The turn is over. */
  void none() {
    event = null;
    run = null;
    OWNER.setRelease(this, null);
  }

  /** What it is doing. Any thread. */
  public Doing now() {
    String who = (String) OWNER.getAcquire(this);
    EventRun about = who == null || run == null ? event : run;
    return new Doing(
        Optional.ofNullable(who),
        who == null ? "" : call,
        Optional.ofNullable(about).map(e -> e.id() + " " + e.typeName()),
        Optional.ofNullable(about).map(e -> e.sequence).filter(number -> number >= 0));
  }
}
