package dev.evenkeel.api.event;

/**
 * Turns events into their stored form and back: for the operation journal and for recordings.
 * Implemented by {@code evenkeel-codec-jackson}, and by users who want another form; any thread, no
 * I/O. Secrets are never written; an event read back has none.
 */
public interface EventCodec {
  /**
   * An event as one line of text; throws {@link dev.evenkeel.api.InvalidInputException} when its
   * kind is not known here.
   */
  String encode(Event event);

  /**
   * A text as an event.
   *
   * @throws dev.evenkeel.api.EvenkeelException of kind {@code INVALID} when it cannot be read, of
   *     kind {@code FAILED_PRECONDITION} when its version is newer than this build knows
   */
  Event decode(String type, int version, String text);
}
