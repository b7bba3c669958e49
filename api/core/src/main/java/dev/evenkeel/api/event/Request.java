package dev.evenkeel.api.event;

/**
 * An update event with a typed answer, which a handler gives with {@code turn.answer}. Implemented
 * by users as immutable records. Its producer usually waits for the outcome; it may not be pushed
 * as a follow-up whose answer a handler waits for.
 *
 * @param <R> type of the answer; an immutable value
 */
public interface Request<R> extends UpdateEvent {
  /** Class of the answer: recordings need it to read the answer back. */
  Class<R> answerType();
}
