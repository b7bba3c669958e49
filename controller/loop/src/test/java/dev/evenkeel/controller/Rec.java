package dev.evenkeel.controller;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Turn;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A handler that records its calls: {@code a.R(1)}, {@code a.U(e)}, {@code a.V(e)}. */
class Rec implements EventHandler {
  private final String name;
  private final List<String> trace;
  Predicate<Event> selects = event -> true;
  Update onUpdate = (event, turn) -> "";
  Resync onResync = (event, turn) -> {};
  Update onRevert = (event, turn) -> "";
  Supplier<Optional<String>> says = Optional::empty;

  /** What it does with an update. */
  interface Update {
    String on(UpdateEvent event, Turn turn) throws Exception;
  }

  /** What it does with a resync. */
  interface Resync {
    void on(ResyncEvent event, Turn turn) throws Exception;
  }

  Rec(String name, List<String> trace) {
    this.name = name;
    this.trace = trace;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean handlesEvent(Event event) {
    return selects.test(event);
  }

  @Override
  public void resync(ResyncEvent event, Turn turn) throws Exception {
    trace.add(name + ".R(" + turn.resyncCount() + ")");
    onResync.on(event, turn);
  }

  @Override
  public String update(UpdateEvent event, Turn turn) throws Exception {
    trace.add(name + ".U(" + nameOf(event) + ")");
    return onUpdate.on(event, turn);
  }

  @Override
  public void revert(UpdateEvent event, Turn turn) throws Exception {
    trace.add(name + ".V(" + nameOf(event) + ")");
    onRevert.on(event, turn);
  }

  @Override
  public Optional<String> describeState() {
    return says.get();
  }

  static String nameOf(Event event) {
    if (event instanceof Ev ev) {
      return ev.name();
    }
    if (event instanceof Co co) {
      return co.name();
    }
    if (event instanceof Ask ask) {
      return ask.name();
    }
    return event.method() == EventMethod.UPDATE ? event.type().name() : event.method().name();
  }
}
