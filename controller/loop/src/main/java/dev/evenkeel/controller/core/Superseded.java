package dev.evenkeel.controller.core;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The events that one event has superseded: they wait for its outcome. Core's thread only. */
final class Superseded {
  private final Set<Rider> riders = new LinkedHashSet<>();
  private EventRun survivor;

  /** One of them: all that is kept of it, since there may be many. */
  static final class Rider {
    final LoopInput.Submitted submitted;
    TimerQueue.@Nullable Timer deadline;
    boolean taken;

    Rider(LoopInput.Submitted submitted) {
      this.submitted = submitted;
    }
  }

  Superseded(EventRun survivor) {
    this.survivor = survivor;
  }

  EventRun survivor() {
    return survivor;
  }

  /** The survivor was superseded itself. */
  void survivor(EventRun next) {
    survivor = next;
  }

  void add(Rider rider) {
    riders.add(rider);
  }

  /** It waits no more. */
  void remove(Rider rider) {
    riders.remove(rider);
  }

  /** Oldest first. */
  Set<Rider> riders() {
    return riders;
  }
}
