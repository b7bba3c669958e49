package dev.evenkeel.app.run;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.CreateVolume;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Makes creates of named volumes fail on purpose, so that the demo can show how one is put back: it
 * stands behind all other handlers and adds a step that fails. In the chain of demos only, and deaf
 * to all volumes that have not been armed.
 */
final class FaultHandler implements EventHandler {
  private final SortedSet<String> armed = new ConcurrentSkipListSet<>();
  private final Order order;

  /** Behind the handlers of those names. */
  FaultHandler(Iterable<String> others) {
    TreeSet<String> names = new TreeSet<>();
    others.forEach(names::add);
    order = Order.after(names.toArray(String[]::new));
  }

  /** Creates of that volume fail from now on. Any thread. */
  void arm(String volume) {
    armed.add(volume);
  }

  /** Creates of that volume are let alone again. Any thread. */
  void disarm(String volume) {
    armed.remove(volume);
  }

  @Override
  public String name() {
    return "demo-fault";
  }

  @Override
  public Order order() {
    return order;
  }

  @Override
  public boolean handlesEvent(Event event) {
    return event instanceof CreateVolume create && armed.contains(create.name());
  }

  @Override
  public void resync(ResyncEvent event, Turn turn) {}

  @Override
  public String update(UpdateEvent event, Turn turn) {
    if (turn.found() instanceof Found.Repeat) {
      return "";
    }
    turn.txn()
        .step(
            Steps.step("fail-on-purpose", String.class)
                .apply(
                    context -> {
                      throw new EvenkeelException(
                          ErrorKind.INTERNAL, "fails on purpose, as the workload asks");
                    })
                .undo((context, done) -> {}));
    return "a step that fails on purpose";
  }
}
