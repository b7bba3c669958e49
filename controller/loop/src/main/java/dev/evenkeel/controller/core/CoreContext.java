package dev.evenkeel.controller.core;

import dev.evenkeel.api.event.InputState;
import java.time.Instant;

/** What turns see of a core. */
record CoreContext(
    LoopCore core,
    LoopParts parts,
    Life life,
    Timing timing,
    Queues queues,
    OwnEvents own,
    Witness witness,
    InputCaches caches,
    StateMaps states)
    implements TurnContext {
  @Override
  public boolean isInTurn() {
    return core.isInTurn();
  }

  @Override
  public Instant now() {
    return timing.now();
  }

  @Override
  public long seed() {
    return core.seed();
  }

  @Override
  public int resyncCount() {
    return core.resyncCount();
  }

  @Override
  public boolean startup() {
    return !life.gateOpen();
  }

  @Override
  public InputState input() {
    return caches.input();
  }

  @Override
  public LoopConfig config() {
    return parts.config();
  }

  @Override
  public Limits limits() {
    return core.limits();
  }

  @Override
  public int followUpsWaiting() {
    return queues.followUps();
  }

  @Override
  public int scheduledWaiting() {
    return own.scheduled();
  }

  @Override
  public int version(EventRun run, String handler, String name, int lowest, int highest) {
    int chosen = parts.versions().choose(handler, name, lowest, highest);
    witness.decided(new LoopDecision.Versioned(run.id(), handler, name, chosen));
    return chosen;
  }
}
