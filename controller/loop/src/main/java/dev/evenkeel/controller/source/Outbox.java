package dev.evenkeel.controller.source;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.StateChange;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * What the loop has still to be told: some keys' changes, or everything. A change that waits is
 * only its key with the value that the loop knows; when its turn comes, the value of that moment is
 * told, so changes of one key coalesce, and nothing is ever lost: when there are too many, or they
 * wait too long, a snapshot takes their place. One event is on its way at a time, so they keep
 * their order. Under its owner's lock.
 */
final class Outbox {
  /** The source that a loop knows the external configuration of a datastore by. */
  static final String DB = "db";

  private final SourceOptions options;
  private final Timers timers;
  private final Backoff backoff;
  private final LongSupplier ids;
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();
  private Whole whole = Whole.NOTHING;
  private boolean local;
  private int inFlight;
  private Optional<Offer> offer = Optional.empty();
  long resyncs;
  long changes;
  long coalesced;
  long overflows;

  /** Of what a snapshot is due. */
  private enum Whole {
    NOTHING,
    EXTERNAL,
    ALL
  }

  /** A change that waits: what the loop knows, and whether it is external configuration. */
  private record Waiting(Optional<Pair> before, boolean external) {}

  /** What is on its way. */
  private record Offer(long id, Whole whole, String path, Optional<Waiting> change) {}

  /** What the loop said. */
  enum Answer {
    ACCEPTED,
    FULL,
    STANDBY,
    REFUSED
  }

  Outbox(SourceOptions options, Timers timers, Backoff backoff, LongSupplier ids) {
    this.options = options;
    this.timers = timers;
    this.backoff = backoff;
    this.ids = ids;
  }

  /** Everything is to be told; single changes are part of it. */
  void all(boolean fromMirror) {
    whole = Whole.ALL;
    local = fromMirror;
    waiting.clear();
  }

  /** A value has changed; {@code before} is what it was. */
  void changed(String path, Optional<Pair> before, boolean external) {
    if (whole == Whole.ALL) {
      return;
    }
    if (waiting.putIfAbsent(path, new Waiting(before, external)) != null) {
      coalesced++;
    } else if (waiting.size() > options.changeBuffer()) {
      overflow();
    }
  }

  private void overflow() {
    overflows++;
    if (waiting.values().stream().allMatch(Waiting::external)) {
      whole = Whole.EXTERNAL;
      waiting.clear();
    } else {
      all(false);
    }
  }

  /** The next thing to push, if it may be pushed now. */
  Optional<Effect> next(Map<String, Pair> picture) {
    if (offer.isPresent() || timers.isSet(Timers.Kind.PUSH) || inFlight >= options.inFlight()) {
      return Optional.empty();
    }
    if (whole != Whole.NOTHING) {
      return Optional.of(snapshot(picture));
    }
    while (!waiting.isEmpty()) {
      String path = waiting.keySet().iterator().next();
      Optional<Waiting> change = Optional.ofNullable(waiting.remove(path));
      Optional<Pair> before = change.flatMap(Waiting::before);
      Optional<Event> event = event(before, Optional.ofNullable(picture.get(path)));
      if (event.isPresent()) {
        Offer made = new Offer(ids.getAsLong(), Whole.NOTHING, path, change);
        offer = Optional.of(made);
        return Optional.of(new Effect.Push(made.id(), event.get()));
      }
      coalesced++;
    }
    return Optional.empty();
  }

  private Effect snapshot(Map<String, Pair> picture) {
    Offer made = new Offer(ids.getAsLong(), whole, "", Optional.empty());
    offer = Optional.of(made);
    whole = Whole.NOTHING;
    if (made.whole() == Whole.ALL) {
      return new Effect.PushAll(made.id(), List.copyOf(picture.values()), local);
    }
    waiting.values().removeIf(Waiting::external);
    return new Effect.PushExternal(
        made.id(), picture.values().stream().filter(Pair::external).toList());
  }

  /** The event of a change; none when nothing has changed in the end. */
  private static Optional<Event> event(Optional<Pair> before, Optional<Pair> now) {
    Optional<Object> previous = before.map(Pair::value);
    Optional<Object> current = now.map(Pair::value);
    Optional<Pair> some = now.or(() -> before);
    if (some.isEmpty() || previous.equals(current)) {
      return Optional.empty();
    }
    Key<?> key = some.get().key();
    if (some.get().external()) {
      TreeMap<Key<?>, Optional<Object>> change = new TreeMap<>();
      change.put(key, current);
      return Optional.of(new ExternalChange(DB, change));
    }
    KeyType<?> kind = key.type();
    return Optional.of(new StateChange(key.path(), kind, previous, current));
  }

  /** What became of the push; what was refused waits on, in its old place. */
  void pushed(long id, Answer answer, Instant now) {
    if (offer.filter(o -> o.id() == id).isEmpty()) {
      return;
    }
    Offer made = offer.get();
    offer = Optional.empty();
    switch (answer) {
      case ACCEPTED -> accepted(made);
      case REFUSED -> timers.set(Timers.Kind.PUSH, now.plus(backoff.failed()));
      case FULL -> {
        putBack(made);
        if (!timers.isSet(Timers.Kind.STUCK)) {
          timers.set(Timers.Kind.STUCK, now.plus(options.pushLimit()));
        }
        timers.set(Timers.Kind.PUSH, now.plus(backoff.failed()));
      }
      case STANDBY -> {
        // When it leads again its gate waits for a snapshot.
        all(local && made.whole() == Whole.ALL);
        timers.set(Timers.Kind.PUSH, now.plus(options.probeInterval()));
      }
    }
  }

  private void accepted(Offer made) {
    inFlight++;
    backoff.succeeded();
    timers.clear(Timers.Kind.STUCK);
    if (made.whole() == Whole.NOTHING) {
      changes++;
    } else {
      resyncs++;
    }
  }

  private void putBack(Offer made) {
    if (made.whole() == Whole.ALL) {
      all(local);
    } else if (made.whole() == Whole.EXTERNAL && whole == Whole.NOTHING) {
      whole = Whole.EXTERNAL;
    } else if (made.whole() == Whole.NOTHING && whole != Whole.ALL) {
      Map<String, Waiting> behind = new LinkedHashMap<>(waiting);
      waiting.clear();
      made.change().ifPresent(change -> waiting.put(made.path(), change));
      behind.forEach(waiting::putIfAbsent);
    }
  }

  /** Changes have waited too long: a snapshot says it all in one. */
  void stuck() {
    if (!waiting.isEmpty()) {
      overflow();
    }
  }

  /** An event that was accepted has its outcome; a dropped one leaves the loop without it. */
  void ended(boolean dropped, Instant now) {
    inFlight--;
    if (dropped) {
      all(false);
      timers.set(Timers.Kind.PUSH, now.plus(options.probeInterval()));
    }
  }
}
