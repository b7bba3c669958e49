package dev.evenkeel.controller.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the core holds until it is its turn, and the event that owns the loop meanwhile (JT-1).
 * Taken in this order: completions that had to wait, follow-ups, events that the loop made, and
 * what was pushed. Core's thread only.
 */
final class Queues {
  /** The event whose transaction runs, or the last such. */
  private @Nullable EventRun owner;

  private boolean owned;
  private final Deque<LoopInput.Completed> completions = new ArrayDeque<>();
  private final Deque<EventRun> followUps = new ArrayDeque<>();
  private final Deque<EventRun> made = new ArrayDeque<>();

  /** What was pushed and waits, by its place: behind the gate, or behind the owner. */
  private final SortedMap<Long, EventRun> waiting = new TreeMap<>();

  /** Those of them that may pass a closed gate. */
  private final SortedMap<Long, EventRun> passers = new TreeMap<>();

  private long places;

  /** Late returns, kept until this controller leads again. */
  private final Deque<EventRun> kept = new ArrayDeque<>();

  /** The event whose transaction runs: nothing but control and its completions is processed. */
  @Nullable EventRun owner() {
    return owned ? owner : null;
  }

  boolean isOwned() {
    return owned;
  }

  void own(EventRun run) {
    owned = true;
    if (owner != run) {
      owner = run;
    }
  }

  /** It owns the loop no more, if it did. */
  void disown(EventRun run) {
    if (owner == run) {
      owned = false;
    }
  }

  /** Nothing is held of the last owner. */
  void forgetOwner() {
    if (!owned) {
      owner = null;
    }
  }

  void defer(LoopInput.Completed completion) {
    completions.add(completion);
  }

  LoopInput.@Nullable Completed nextCompletion() {
    return completions.poll();
  }

  void followUp(EventRun run) {
    followUps.add(run);
  }

  int followUps() {
    return followUps.size();
  }

  void made(EventRun run) {
    made.add(run);
  }

  /** The next follow-up, or event that the loop made. */
  @Nullable EventRun nextOwn() {
    EventRun next = followUps.poll();
    return next == null ? made.poll() : next;
  }

  /** Behind all that wait. */
  void wait(EventRun run) {
    put(places++, run);
  }

  /** In the place of another one. */
  void replace(EventRun old, EventRun by) {
    long place = old.place;
    waitsNoMore(old);
    put(place, by);
  }

  private void put(long place, EventRun run) {
    run.kept = true;
    run.place = place;
    waiting.put(place, run);
    if (Life.mayPassGate(run)) {
      passers.put(place, run);
    }
  }

  boolean isAnyWaiting() {
    return !waiting.isEmpty();
  }

  /** The first that may begin, and does not wait any more. */
  @Nullable EventRun nextWaiting(Life life) {
    EventRun next = firstWaiting(life);
    if (next != null) {
      waitsNoMore(next);
    }
    return next;
  }

  private @Nullable EventRun firstWaiting(Life life) {
    if (life.gateOpen()) {
      return waiting.isEmpty() ? null : waiting.get(waiting.firstKey());
    }
    for (EventRun run : passers.values()) {
      if (life.passesGate(run)) {
        return run;
      }
    }
    return null;
  }

  /** Whether it waited; it does not any more. */
  boolean waitsNoMore(EventRun run) {
    boolean waited = run.place >= 0;
    if (waited) {
      waiting.remove(run.place);
      passers.remove(run.place);
      run.place = -1;
    }
    return waited;
  }

  /** Whether something could be taken now. */
  boolean hasReady(Life life) {
    return !owned
        && !(completions.isEmpty()
            && followUps.isEmpty()
            && made.isEmpty()
            && (waiting.isEmpty() || firstWaiting(life) == null));
  }

  void keep(EventRun run) {
    kept.add(run);
  }

  void releaseKept() {
    made.addAll(kept);
    kept.clear();
  }

  /** Late returns outlive a leadership; everything else that waits is given to the function. */
  void dropButReturns(Consumer<EventRun> drop) {
    List<EventRun> returns = made.stream().filter(EngineUpkeep::isReturn).toList();
    made.removeAll(returns);
    dropAll(drop);
    kept.addAll(returns);
  }

  void dropAll(Consumer<EventRun> drop) {
    for (Deque<EventRun> queue : List.of(followUps, made, kept)) {
      EventRun run = queue.poll();
      while (run != null) {
        drop.accept(run);
        run = queue.poll();
      }
    }
    while (!waiting.isEmpty()) {
      EventRun run = Objects.requireNonNull(waiting.get(waiting.firstKey()));
      waitsNoMore(run);
      drop.accept(run);
    }
  }
}
