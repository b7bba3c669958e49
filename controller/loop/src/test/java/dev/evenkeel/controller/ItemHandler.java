package dev.evenkeel.controller;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.OperationLoader;
import dev.evenkeel.api.handler.Reader;
import dev.evenkeel.api.handler.StateName;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Steps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Makes and removes items in two steps each, against a set. */
final class ItemHandler implements EventHandler, OperationLoader {
  static final StateName<String> MADE = StateName.of("made", String.class);

  final Set<String> things = new ConcurrentSkipListSet<>();
  final Set<String> failing = ConcurrentHashMap.newKeySet();
  final List<String> found = Collections.synchronizedList(new ArrayList<>());
  final List<String> reverted = Collections.synchronizedList(new ArrayList<>());
  Rec.Update more = (event, turn) -> "";

  @Override
  public String name() {
    return "items";
  }

  @Override
  public boolean handlesEvent(Event event) {
    return event instanceof DoItem;
  }

  @Override
  public void resync(ResyncEvent event, Turn turn) {}

  @Override
  public void load(UpdateEvent event, Reader reader) {
    var unused = reader.read(new K(((DoItem) event).item()));
  }

  @Override
  public String update(UpdateEvent event, Turn turn) throws Exception {
    DoItem item = (DoItem) event;
    found.add(item.kind() + ":" + turn.found().getClass().getSimpleName());
    K key = new K(item.item());
    if (turn.found() instanceof Found.Repeat) {
      turn.answer(item, "again " + turn.loaded(key).orElse("?"));
      return "";
    }
    if (item.kind().equals("remove")) {
      turn.txn().step(remove("two", item.item() + "2"));
      turn.txn().step(remove("one", item.item() + "1"));
      turn.txn().erase(key);
      turn.state(MADE).remove(item.subject());
    } else {
      turn.txn().reserve(key, "reserved");
      var one = turn.txn().step(make("one", item.item() + "1"));
      turn.txn().step(make("two", item.item() + "2"));
      turn.txn().record(key, results -> results.get(one));
      turn.state(MADE).put(item.subject(), "yes");
      turn.answerFrom(item, results -> results.get(one));
    }
    turn.followUp(Ev.of("after-" + item.item()));
    return more.on(event, turn);
  }

  @Override
  public void revert(UpdateEvent event, Turn turn) {
    reverted.add(((DoItem) event).item());
  }

  Step<String> make(String name, String thing) {
    return Steps.step(name, String.class)
        .probe(c -> things.contains(thing) ? Probe.present(thing) : Probe.absent())
        .apply(
            c -> {
              if (failing.contains(thing)) {
                throw new IllegalStateException("no " + thing);
              }
              things.add(thing);
              return thing;
            })
        .undo(
            (c, done) -> {
              if (failing.contains("undo " + thing)) {
                throw new IllegalStateException("no way back for " + thing);
              }
              things.remove(thing);
            });
  }

  private Step<String> remove(String name, String thing) {
    return Steps.step(name, String.class)
        .probe(c -> things.contains(thing) ? Probe.absent() : Probe.present(thing))
        .apply(
            c -> {
              if (failing.contains("remove " + thing)) {
                throw new IllegalStateException("stays: " + thing);
              }
              things.remove(thing);
              return thing;
            })
        .forwardOnly();
  }
}
