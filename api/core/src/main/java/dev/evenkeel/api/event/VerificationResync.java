package dev.evenkeel.api.event;

/**
 * In verification mode: after a successful event everything is built anew and must come out the
 * same. Pushed by the framework.
 *
 * @param downstream whether to compare with what the outside really has, too
 */
public record VerificationResync(boolean downstream) implements ResyncEvent {
  /** Its kind. */
  public static final EventType<VerificationResync> TYPE =
      EventType.of("verification-resync", VerificationResync.class);

  @Override
  public EventType<VerificationResync> type() {
    return TYPE;
  }

  @Override
  public EventMethod method() {
    return downstream ? EventMethod.FULL_RESYNC : EventMethod.UPSTREAM_RESYNC;
  }
}
