package dev.evenkeel.txn.engine;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.Descriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks the descriptors of an engine, and orders them for retrieving (rules 2 and 46, TW-8). */
final class Register {
  private final List<InvalidInputException.Fault> faults = new ArrayList<>();
  private final TreeMap<String, Bound<?, ?>> byName = new TreeMap<>();

  private Register() {}

  /** All of them, in the order in which they are retrieved: after those named, then by name. */
  static List<Bound<?, ?>> inOrder(List<? extends Descriptor<?, ?>> descriptors) {
    Register register = new Register();
    register.names(descriptors);
    register.prefixes();
    List<Bound<?, ?>> ordered = register.order();
    if (!register.faults.isEmpty()) {
      throw new InvalidInputException("the descriptors", register.faults);
    }
    return ordered;
  }

  /**
   * The same with one more, which others may name only from then on.
   *
   * @param known all that are registered, in order; they stay as they are
   */
  static List<Bound<?, ?>> with(List<Bound<?, ?>> known, Descriptor<?, ?> late) {
    Register register = new Register();
    known.forEach(bound -> register.byName.put(bound.name(), bound));
    register.names(List.of(late));
    register.prefixes();
    List<Bound<?, ?>> ordered = register.order();
    if (!register.faults.isEmpty()) {
      throw new InvalidInputException("the descriptor " + late.name(), register.faults);
    }
    return ordered;
  }

  private void names(List<? extends Descriptor<?, ?>> descriptors) {
    for (Descriptor<?, ?> descriptor : descriptors) {
      if (byName.putIfAbsent(descriptor.name(), new Bound<>(descriptor)) != null) {
        fault("name", descriptor.name(), "is the name of two descriptors");
      }
    }
  }

  private void prefixes() {
    TreeMap<String, String> names = new TreeMap<>();
    for (Bound<?, ?> bound : byName.values()) {
      String prefix = bound.descriptor().type().prefix();
      String other = names.putIfAbsent(prefix, bound.name());
      if (other != null) {
        fault("prefix", prefix, "is described by " + other + " and by " + bound.name());
      }
    }
    String outer = null;
    for (Map.Entry<String, String> entry : names.entrySet()) {
      if (outer != null && entry.getKey().startsWith(outer)) {
        fault("prefix", entry.getKey(), "lies in " + outer + ", of another descriptor");
      } else {
        outer = entry.getKey();
      }
    }
  }

  private List<Bound<?, ?>> order() {
    TreeMap<String, TreeSet<String>> waits = new TreeMap<>();
    for (Bound<?, ?> bound : byName.values()) {
      TreeSet<String> after = new TreeSet<>(bound.descriptor().retrieveAfter());
      for (String name : after) {
        if (!byName.containsKey(name)) {
          fault("retrieveAfter of " + bound.name(), name, "is no descriptor");
        }
      }
      after.retainAll(byName.keySet());
      waits.put(bound.name(), after);
    }
    List<Bound<?, ?>> ordered = new ArrayList<>();
    while (!waits.isEmpty()) {
      String next = null;
      for (Map.Entry<String, TreeSet<String>> entry : waits.entrySet()) {
        if (entry.getValue().isEmpty()) {
          next = entry.getKey();
          break;
        }
      }
      if (next == null) {
        fault("retrieveAfter", waits.keySet().toString(), "these wait for each other");
        return ordered;
      }
      waits.remove(next);
      String name = next;
      waits.values().forEach(after -> after.remove(name));
      Bound<?, ?> bound = byName.get(next);
      if (bound != null) {
        ordered.add(bound);
      }
    }
    return ordered;
  }

  private void fault(String field, String given, String reason) {
    faults.add(new InvalidInputException.Fault(field, given, reason));
  }
}
