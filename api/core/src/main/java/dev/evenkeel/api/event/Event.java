package dev.evenkeel.api.event;

/**
 * Something that has happened and may cause a reaction. Users implement {@link UpdateEvent}, {@link
 * Request} or {@link ResyncEvent}, as immutable records: an event is built on any thread, handed
 * over once, and read by the loop thread.
 *
 * <p>An event carries no result channel; its outcome is the {@code Submission} that pushing it
 * returns.
 */
public sealed interface Event permits UpdateEvent, ResyncEvent {
  /** Its kind. Must not throw. */
  EventType<?> type();

  /** How it is answered. */
  EventMethod method();

  /**
   * For people, one or more lines, without secrets; shown in the log and the history. Must not
   * throw.
   */
  default String describe() {
    return toString();
  }
}
