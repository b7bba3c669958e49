package dev.evenkeel.api.event;

/**
 * The whole input state, read anew: opens the loop's gate the first time, and replaces the input
 * caches every time. Made by the framework's datastore source, by tests, and by programs that have
 * no datastore of their own.
 *
 * @param input the state of the datastore
 * @param external the state of the external configuration kept in the same datastore (source {@code
 *     db})
 * @param local whether it was read from the local mirror since the remote store is away
 */
public record DatastoreResync(InputState input, InputState external, boolean local)
    implements ResyncEvent {
  /** Its kind. */
  public static final EventType<DatastoreResync> TYPE =
      EventType.of("datastore-resync", DatastoreResync.class);

  /** From the remote store, without external configuration. */
  public static DatastoreResync of(InputState input) {
    return new DatastoreResync(input, InputState.empty(), false);
  }

  @Override
  public EventType<DatastoreResync> type() {
    return TYPE;
  }

  @Override
  public EventMethod method() {
    return EventMethod.FULL_RESYNC;
  }

  @Override
  public String describe() {
    return (local ? "local mirror: " : "datastore: ") + input + ", external: " + external;
  }
}
