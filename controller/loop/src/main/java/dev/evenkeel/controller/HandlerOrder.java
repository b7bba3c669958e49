package dev.evenkeel.controller;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Order;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Puts handlers in order: as they were given, except where their constraints say otherwise. A name
 * that nobody has is ignored.
 */
final class HandlerOrder {
  private final Map<String, EventHandler> byName = new LinkedHashMap<>();
  private final Map<String, Set<String>> before = new LinkedHashMap<>();
  private final Map<String, Set<String>> pulling = new LinkedHashMap<>();

  private HandlerOrder() {}

  /**
   * The handlers, each behind all that it wants before it.
   *
   * @throws InvalidInputException when two have one name, or when wishes contradict each other
   */
  static List<EventHandler> of(List<EventHandler> given) {
    HandlerOrder order = new HandlerOrder();
    order.collect(given);
    return order.sorted();
  }

  private void collect(List<EventHandler> given) {
    List<InvalidInputException.Fault> faults = new ArrayList<>();
    for (EventHandler handler : given) {
      if (byName.putIfAbsent(handler.name(), handler) != null) {
        faults.add(
            new InvalidInputException.Fault(
                "handlers", handler.name(), "two handlers have one name"));
      }
    }
    if (!faults.isEmpty()) {
      throw new InvalidInputException("loop", faults);
    }
    byName.keySet().forEach(name -> before.put(name, new TreeSet<>()));
    byName.forEach((name, handler) -> constrain(name, handler.order()));
  }

  private void constrain(String name, Order order) {
    for (String earlier : order.after()) {
      precedes(earlier, name);
    }
    for (String later : order.before()) {
      precedes(name, later);
      pulling.computeIfAbsent(later, l -> new LinkedHashSet<>()).add(name);
    }
  }

  private void precedes(String earlier, String later) {
    Set<String> known = before.get(later);
    if (known != null && byName.containsKey(earlier)) {
      known.add(earlier);
    }
  }

  private List<EventHandler> sorted() {
    Set<String> placed = new LinkedHashSet<>();
    while (placed.size() < byName.size()) {
      String next = firstFree(placed);
      if (next == null) {
        throw InvalidInputException.of(
            "loop", "handlers", cycle(placed), "their wishes for an order contradict each other");
      }
      placed.add(next);
    }
    List<EventHandler> out = new ArrayList<>();
    placed.forEach(
        name -> {
          EventHandler handler = byName.get(name);
          if (handler != null) {
            out.add(handler);
          }
        });
    return out;
  }

  /**
   * Who has the wish moves: one that wants to be behind others waits, and one that wants to be in
   * front of others is pulled forward when it is their turn.
   */
  private @Nullable String firstFree(Set<String> placed) {
    for (String name : before.keySet()) {
      if (!placed.contains(name)) {
        if (isFree(name, placed)) {
          return name;
        }
        for (String earlier : pulling.getOrDefault(name, Set.of())) {
          if (!placed.contains(earlier) && isFree(earlier, placed)) {
            return earlier;
          }
        }
      }
    }
    return null;
  }

  private boolean isFree(String name, Set<String> placed) {
    return placed.containsAll(before.getOrDefault(name, Set.of()));
  }

  /** Walks from one that cannot be placed to what it waits for, until one comes twice. */
  private String cycle(Set<String> placed) {
    List<String> walk = new ArrayList<>();
    String at =
        before.keySet().stream().filter(name -> !placed.contains(name)).findFirst().orElseThrow();
    while (!walk.contains(at)) {
      walk.add(at);
      at =
          before.getOrDefault(at, Set.of()).stream()
              .filter(name -> !placed.contains(name))
              .findFirst()
              .orElseThrow();
    }
    List<String> cycle = new ArrayList<>(walk.subList(walk.indexOf(at), walk.size()));
    cycle.add(at);
    return String.join(" waits for ", cycle);
  }
}
