package dev.evenkeel.api.handler;

import java.time.Instant;

/** What the journal knows of an operation when its handlers plan it (JT-2, JT-3, JT-13). */
public sealed interface Found {
  /** Nothing: it is new. Also what serial events find. */
  record New() implements Found {}

  /**
   * The same request was completed. Handlers answer from the records that it left. A step that they
   * add all the same is probed only: what is present is adopted, and anything else refuses the
   * repeat, as {@code NOT_FOUND} or, when it is partial, as {@code FAILED_PRECONDITION}. Nothing is
   * applied or undone.
   *
   * @param transaction id of the one that completed it
   * @param completed when
   */
  record Repeat(String transaction, Instant completed) implements Found {}

  /**
   * The same request was begun and not ended. Handlers plan exactly as for a new one; the framework
   * probes every step, goes on from what it finds, and may undo what it finds.
   *
   * @param intent what was begun
   */
  record Interrupted(Intent intent) implements Found {}
}
