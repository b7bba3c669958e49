package dev.evenkeel.api.event;

/**
 * The loop is being closed: the last event that handlers see. Best effort, forward. Pushed by the
 * framework alone.
 */
public record Shutdown() implements UpdateEvent {
  /** Its kind. */
  public static final EventType<Shutdown> TYPE = EventType.of("shutdown", Shutdown.class);

  @Override
  public EventType<Shutdown> type() {
    return TYPE;
  }

  @Override
  public EventSpec spec() {
    return EventSpec.bestEffort();
  }
}
