package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The outside of the tests: what is there, which calls were made, and which fail. A list value is
 * there with those of its items that are there themselves.
 */
final class SouthBound {
  /** Something that is there. */
  record Thing(Val value, Integer metadata, Origin origin) {}

  /** How a call is to fail. */
  record Fault(Exception thrown, Runnable sideEffect) {}

  final TreeMap<String, Thing> things = new TreeMap<>();
  final List<String> calls = new ArrayList<>();
  private final Map<String, List<Fault>> faults = new HashMap<>();

  /** How many more calls that change something succeed before one fails; negative for all. */
  int failAfter = -1;

  /** The next call like {@code create a/1} fails. */
  SouthBound fail(String call) {
    return fail(call, () -> {});
  }

  SouthBound fail(String call, Runnable sideEffect) {
    return fail(call, new IllegalStateException("E"), sideEffect);
  }

  SouthBound fail(String call, Exception thrown, Runnable sideEffect) {
    faults.computeIfAbsent(call, c -> new ArrayList<>()).add(new Fault(thrown, sideEffect));
    return this;
  }

  /** Makes something be there: a list and its items. */
  void put(String path, int metadata, Origin origin, String... items) {
    things.put("/" + path, new Thing(Val.list(), metadata, origin));
    for (String item : items) {
      Val.S value = new Val.S(item);
      things.put("/" + path + "/" + value.name(), new Thing(value, -1, origin));
    }
  }

  /** Makes something vanish, with its items. */
  void lose(String path) {
    things.keySet().removeIf(p -> p.equals("/" + path) || p.startsWith("/" + path + "/"));
  }

  /** What is there, without metadata. */
  Map<String, String> state() {
    TreeMap<String, String> state = new TreeMap<>();
    things.forEach(
        (path, thing) ->
            state.put(path.substring(1), thing.value() instanceof Val.S s ? s.text() : "L"));
    return state;
  }

  List<String> takeCalls() {
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  void call(String operation, String path) throws Exception {
    String call = operation + " " + path.substring(path.startsWith("/") ? 1 : 0);
    calls.add(call);
    if (!operation.equals("retrieve") && failAfter >= 0 && failAfter-- == 0) {
      throw new IllegalStateException("planned");
    }
    List<Fault> planned = faults.get(call);
    if (planned != null && !planned.isEmpty()) {
      Fault fault = planned.remove(0);
      fault.sideEffect().run();
      throw fault.thrown();
    }
  }

  void clearFaults() {
    faults.clear();
  }

  /** A list as it is there: with the items that are there. */
  @Nullable Thing list(String path) {
    Thing thing = things.get(path);
    if (thing == null || !(thing.value() instanceof Val.L)) {
      return null;
    }
    List<String> items = new ArrayList<>();
    things
        .subMap(path + "/", path + "0")
        .values()
        .forEach(
            item -> {
              if (item.value() instanceof Val.S s) {
                items.add(s.text());
              }
            });
    return new Thing(new Val.L(items), thing.metadata(), thing.origin());
  }
}
