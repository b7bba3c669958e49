package dev.evenkeel.txn.operation;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.volume.OperationExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers failed operations, and for how long their repeats are refused (operations reference,
 * 2.5 and 2.6). Written by the loop thread alone, which brings the time; {@link #check} may be
 * asked by any thread.
 *
 * <p>Entries expire after twice the longest delay and are bounded in number, so that what failed
 * once and never came back costs nothing.
 */
final class BackOff {
  private final OperationOptions options;

  /** By subject, in order of failure; the lists are immutable, for readers elsewhere. */
  private final Map<String, List<Entry>> bySubject = new ConcurrentHashMap<>();

  /** Oldest failure first; loop thread only. */
  private final Map<Spot, Entry> byAge = new LinkedHashMap<>();

  BackOff(OperationOptions options) {
    this.options = options;
  }

  /**
   * Where an operation works: a subject, and the node or target that narrows it, if one does. Two
   * match when one of them is not narrowed, or both are to the same. An empty subject never
   * matches.
   */
  record Spot(String subject, String scope) {
    /** Where an operation of that lane works. */
    static Spot of(Lane.Operation lane) {
      String scope =
          lane.locks().stream()
              .filter(key -> key.id().equals(lane.subject()))
              .map(LockKey::scope)
              .filter(text -> !text.isEmpty())
              .findFirst()
              .orElse("");
      return new Spot(lane.subject(), scope);
    }

    boolean matches(Spot other) {
      return !subject.isEmpty()
          && subject.equals(other.subject)
          && (scope.isEmpty() || other.scope.isEmpty() || scope.equals(other.scope));
    }
  }

  private record Entry(Spot spot, String kind, Duration delay, Instant failed, Failure failure) {
    OperationExecutor.Failed told() {
      return new OperationExecutor.Failed(
          kind, spot.subject, spot.scope, failed, failed.plus(delay), failure);
    }

    /** The end itself is refused, too. */
    boolean refuses(Instant now) {
      return Duration.between(failed, now).compareTo(delay) <= 0;
    }
  }

  /** Why an operation would be refused now. No side effect; any thread. */
  Optional<Failure> check(Spot spot, String kind, Instant now) {
    return find(spot)
        .filter(entry -> entry.kind.equals(kind) && entry.refuses(now))
        .map(BackOff::refusal);
  }

  private static Failure refusal(Entry entry) {
    return Failure.of(
        "back-off",
        "admit " + entry.kind,
        ErrorKind.BUSY,
        entry.kind
            + " of "
            + entry.spot.subject
            + " failed at "
            + entry.failed
            + " and may be repeated after "
            + entry.failed.plus(entry.delay)
            + " (delay "
            + entry.delay
            + "); it failed with: "
            + entry.failure.message());
  }

  /** An operation may run: what another kind's failures have built up is forgotten. */
  void admitted(Spot spot, String kind) {
    find(spot).filter(entry -> !entry.kind.equals(kind)).ifPresent(this::remove);
  }

  /** An executed step of an operation failed. */
  void failed(Spot spot, String kind, Instant now, Failure failure) {
    if (!options.backOff() || spot.subject.isEmpty()) {
      return;
    }
    Optional<Entry> before = find(spot).filter(entry -> entry.kind.equals(kind));
    before.ifPresent(this::remove);
    Optional.ofNullable(byAge.get(spot)).ifPresent(this::remove);
    add(new Entry(spot, kind, before.map(this::longer).orElse(options.firstDelay()), now, failure));
    expire(now);
  }

  private Duration longer(Entry entry) {
    Duration twice = entry.delay.multipliedBy(2);
    return twice.compareTo(options.longestDelay()) < 0 ? twice : options.longestDelay();
  }

  /** An operation succeeded: its history is cleared. */
  void succeeded(Spot spot) {
    find(spot).ifPresent(this::remove);
  }

  /** Forgets what is old, and the oldest ones above the limit. */
  void expire(Instant now) {
    Duration life = options.longestDelay().multipliedBy(2);
    while (!byAge.isEmpty()) {
      Entry oldest = byAge.values().iterator().next();
      boolean old = Duration.between(oldest.failed, now).compareTo(life) > 0;
      if (!old && byAge.size() <= options.mostFailures()) {
        return;
      }
      remove(oldest);
    }
  }

  /** All that is remembered, oldest first. Any thread; a snapshot. */
  List<OperationExecutor.Failed> entries() {
    return bySubject.values().stream()
        .flatMap(List::stream)
        .sorted(
            Comparator.comparing(Entry::failed)
                .thenComparing(entry -> entry.spot.subject)
                .thenComparing(entry -> entry.spot.scope)
                .thenComparing(Entry::kind))
        .map(Entry::told)
        .toList();
  }

  /** How many failures are remembered. */
  int size() {
    return byAge.size();
  }

  /** An exact match wins; among others the one that refuses longest. */
  private Optional<Entry> find(Spot spot) {
    List<Entry> entries = bySubject.getOrDefault(spot.subject, List.of());
    Optional<Entry> exact = entries.stream().filter(e -> e.spot.equals(spot)).findFirst();
    return exact.isPresent()
        ? exact
        : entries.stream()
            .filter(entry -> entry.spot.matches(spot))
            .max(Comparator.comparing(entry -> entry.failed.plus(entry.delay)));
  }

  private void add(Entry entry) {
    byAge.put(entry.spot, entry);
    List<Entry> more = new ArrayList<>(bySubject.getOrDefault(entry.spot.subject, List.of()));
    more.add(entry);
    bySubject.put(entry.spot.subject, List.copyOf(more));
  }

  private void remove(Entry entry) {
    byAge.remove(entry.spot);
    List<Entry> fewer = new ArrayList<>(bySubject.getOrDefault(entry.spot.subject, List.of()));
    fewer.remove(entry);
    if (fewer.isEmpty()) {
      bySubject.remove(entry.spot.subject);
    } else {
      bySubject.put(entry.spot.subject, List.copyOf(fewer));
    }
  }
}
