package dev.evenkeel.controller.recording;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/** What most often makes a difference of a kind. A guess, for people. */
final class Causes {
  private static final String CODE =
      "its code was changed (turn.version lets old recordings replay), or it decides by something"
          + " that is not in the turn: the clock, randomness, another thread, the order of a hash"
          + " map";

  private Causes() {}

  static String of(String field) {
    return switch (field) {
      case "handlers" -> "a handler was added, removed or renamed, or their order was changed";
      case "states" ->
          "a handler puts other state than it did, or keeps state outside the turn's state maps";
      default -> CODE;
    };
  }

  static String of(
      String field,
      Optional<SortedMap<String, Object>> recorded,
      Optional<SortedMap<String, Object>> replayed) {
    Optional<String> handler =
        recorded.or(() -> replayed).map(tree -> tree.get("handler")).map(Object::toString);
    if (field.equals("entries") && sameInAnotherOrder(recorded, replayed)) {
      return "the same things are wanted in another order: a handler was changed, or goes through a"
          + " hash map or hash set";
    }
    if (recorded.isEmpty()) {
      return "more is decided than was recorded: a handler wants more, or another one was added";
    }
    if (replayed.isEmpty()) {
      return "less is decided than was recorded: a handler wants less, or fails";
    }
    if (field.equals("failure")) {
      return handler.map(name -> "handler " + name).orElse("it") + " fails otherwise than it did";
    }
    return handler.map(name -> "handler " + name + ": ").orElse("") + CODE;
  }

  private static boolean sameInAnotherOrder(
      Optional<SortedMap<String, Object>> recorded, Optional<SortedMap<String, Object>> replayed) {
    return Objects.equals(sorted(recorded), sorted(replayed));
  }

  private static List<String> sorted(Optional<SortedMap<String, Object>> decision) {
    return decision
        .map(tree -> tree.get("entries"))
        .filter(List.class::isInstance)
        .map(entries -> ((List<?>) entries).stream().map(Values.JSON::write).sorted().toList())
        .orElse(List.of());
  }
}
