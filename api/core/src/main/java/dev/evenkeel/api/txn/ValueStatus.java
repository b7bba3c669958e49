package dev.evenkeel.api.txn;

import dev.evenkeel.api.Failure;
import java.util.List;
import java.util.Optional;

/**
 * Where a value stands. Immutable.
 *
 * @param key path
 * @param state computed state
 * @param last what was last asked for
 * @param failure of the last operation, if it failed
 * @param details unmet dependencies of a pending value, wrong fields of an invalid one
 * @param derived the same for each derived value, ordered by path
 */
public record ValueStatus(
    String key,
    ValueState state,
    ValueOperation last,
    Optional<Failure> failure,
    List<String> details,
    List<ValueStatus> derived) {
  /** Copies the lists. */
  public ValueStatus {
    details = List.copyOf(details);
    derived = List.copyOf(derived);
  }
}
