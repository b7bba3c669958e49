package dev.evenkeel.api.event;

/**
 * The loop repairs itself. Pushed by the framework.
 *
 * @param cause why
 * @param attempt from 1; only a healing after an error counts up
 */
public record HealingResync(Cause cause, int attempt) implements ResyncEvent {
  /** Its kind. */
  public static final EventType<HealingResync> TYPE =
      EventType.of("healing-resync", HealingResync.class);

  /** Why the loop heals. */
  public enum Cause {
    /** An event failed: full resync after a delay. */
    AFTER_ERROR,
    /** The period is over: downstream resync. */
    PERIODIC
  }

  @Override
  public EventType<HealingResync> type() {
    return TYPE;
  }

  @Override
  public EventMethod method() {
    return cause == Cause.AFTER_ERROR ? EventMethod.FULL_RESYNC : EventMethod.DOWNSTREAM_RESYNC;
  }
}
