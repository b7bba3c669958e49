package dev.evenkeel.controller.source;

import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** What is due when, one time for each purpose. */
final class Timers {
  /** What for; in the order in which those that are due together are served. */
  enum Kind {
    PROBE_LIMIT,
    CHECK_LIMIT,
    MIRROR_LIMIT,
    PROBE,
    CHECK,
    MIRROR,
    LOCAL,
    STUCK,
    PUSH
  }

  private final Map<Kind, Instant> due = new EnumMap<>(Kind.class);

  void set(Kind kind, Instant at) {
    due.put(kind, at);
  }

  void clear(Kind kind) {
    due.remove(kind);
  }

  boolean isSet(Kind kind) {
    return due.containsKey(kind);
  }

  Optional<Instant> at(Kind kind) {
    return Optional.ofNullable(due.get(kind));
  }

  /** Whether it is due; then it is not set any more. */
  boolean fires(Kind kind, Instant now) {
    return at(kind).filter(at -> !at.isAfter(now)).isPresent() && due.remove(kind) != null;
  }

  Optional<Instant> next() {
    return due.values().stream().min(Comparator.naturalOrder());
  }
}
