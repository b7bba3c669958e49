package dev.evenkeel.api.event;

/**
 * The whole configuration of one external source, anew. Upstream resync.
 *
 * @param source name of the source
 * @param snapshot all that it has
 */
public record ExternalResync(String source, InputState snapshot) implements ResyncEvent {
  /** Its kind. */
  public static final EventType<ExternalResync> TYPE =
      EventType.of("external-resync", ExternalResync.class);

  @Override
  public EventType<ExternalResync> type() {
    return TYPE;
  }

  @Override
  public EventMethod method() {
    return EventMethod.UPSTREAM_RESYNC;
  }

  @Override
  public String describe() {
    return "source " + source + ": " + snapshot;
  }
}
