package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.txn.Results;
import java.util.Optional;

/** Makes the answer of a request from what its steps returned. */
final class Answers {
  private Answers() {}

  /** The answer; what goes wrong becomes a failure of the event, for all is done already. */
  static Optional<Object> of(EventRun run, Results results) {
    if (run.answer == null || !(run.event() instanceof Request<?> request)) {
      return Optional.empty();
    }
    String by = run.answerBy == null ? "loop" : run.answerBy;
    try {
      Object value = run.answer.apply(results);
      if (request.answerType().isInstance(value)) {
        return Optional.of(value);
      }
      run.failures.add(
          Failure.of(by, "answer", ErrorKind.INTERNAL, "is no " + request.answerType().getName()));
    } catch (Throwable thrown) {
      run.failures.add(Failure.of(by, "answer", thrown));
    }
    return Optional.empty();
  }
}
