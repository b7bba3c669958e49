package dev.evenkeel.txn.operation;

import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Things that steps make and remove. */
final class Backend {
  final TreeSet<String> things = new TreeSet<>();
  final List<String> log = new ArrayList<>();
  private final Faults faults;

  /** Whether a thing of that sort cannot be made. */
  String refuses = "-";

  Backend(Faults faults) {
    this.faults = faults;
  }

  void make(String thing) {
    if (thing.startsWith(refuses)) {
      throw new IllegalStateException("no " + thing);
    }
    faults.effect(
        () -> {
          log.add("make " + thing);
          things.add(thing);
        });
  }

  void remove(String thing) {
    faults.effect(
        () -> {
          log.add("remove " + thing);
          things.remove(thing);
        });
  }

  /** Makes a thing; undoable. */
  Step<String> making(String step, String thing) {
    return Steps.step(step, String.class)
        .probe(context -> things.contains(thing) ? Probe.present(thing) : Probe.absent())
        .apply(
            context -> {
              make(thing);
              return thing;
            })
        .undo((context, done) -> remove(done));
  }

  /** Removes a thing; rolled forward. */
  Step<String> removing(String step, String thing) {
    return Steps.step(step, String.class)
        .probe(context -> things.contains(thing) ? Probe.absent() : Probe.present(thing))
        .apply(
            context -> {
              remove(thing);
              return thing;
            })
        .forwardOnly();
  }
}
