package dev.evenkeel.controller.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the core holds until it is its turn, and the event that owns the loop meanwhile (JT-1).
 * Taken in this order: completions that had to wait, follow-ups, events that the loop made, and
 * what was pushed. Core's thread only.
 */
final class Queues {
  /** The event whose transaction runs: nothing but control and its completions is processed. */
  @Nullable EventRun owner;

  private final Deque<LoopInput.Completed> completions = new ArrayDeque<>();
  private final Deque<EventRun> followUps = new ArrayDeque<>();
  private final Deque<EventRun> made = new ArrayDeque<>();
  private final Deque<EventRun> gate = new ArrayDeque<>();

  /** Late returns, kept until this controller leads again. */
  private final Deque<EventRun> kept = new ArrayDeque<>();

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

  void wait(EventRun run) {
    gate.add(run);
  }

  @Nullable EventRun nextWaiting() {
    return gate.poll();
  }

  /** Whether it waited; it does not any more. */
  boolean waitsNoMore(EventRun run) {
    return gate.remove(run);
  }

  /** Whether something could be taken now. */
  boolean hasReady(boolean gateOpen) {
    return owner == null
        && !(completions.isEmpty()
            && followUps.isEmpty()
            && made.isEmpty()
            && (gate.isEmpty() || !gateOpen));
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
    for (Deque<EventRun> queue : List.of(followUps, made, kept, gate)) {
      EventRun run = queue.poll();
      while (run != null) {
        drop.accept(run);
        run = queue.poll();
      }
    }
  }
}
