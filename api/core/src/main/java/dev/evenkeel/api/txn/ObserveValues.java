package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Request;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks what is really there: the descriptors are asked to retrieve, and nothing is compared or
 * changed. No handler sees it. Its answer tells what could not be asked; the event itself succeeds.
 * (Transactions reference, rule 61; {@link ValueView#OBSERVED}.)
 *
 * @param descriptor name of the one to ask; absent for all
 * @param prefix beginning of the paths that are wanted; empty for all
 * @param limit most values in the answer, 1 to 100,000
 */
@Experimental
public record ObserveValues(Optional<String> descriptor, String prefix, int limit)
    implements Request<ObservedValues> {
  /** Its kind. */
  public static final EventType<ObserveValues> TYPE =
      EventType.of("observe-values", ObserveValues.class);

  /** Most values of one answer. */
  public static final int MOST = 100_000;

  /** Checks the limit. */
  public ObserveValues {
    Objects.requireNonNull(descriptor, "descriptor");
    Objects.requireNonNull(prefix, "prefix");
    if (limit < 1 || limit > MOST) {
      throw InvalidInputException.of(
          "observe-values", "limit", Integer.toString(limit), "must be from 1 to " + MOST);
    }
  }

  /** Of all that has paths with that beginning. */
  public static ObserveValues below(String prefix, int limit) {
    return new ObserveValues(Optional.empty(), prefix, limit);
  }

  @Override
  public Class<ObservedValues> answerType() {
    return ObservedValues.class;
  }

  @Override
  public EventType<ObserveValues> type() {
    return TYPE;
  }

  @Override
  public EventSpec spec() {
    return EventSpec.bestEffort();
  }

  @Override
  public String describe() {
    return "what is really there of "
        + descriptor.map(name -> "descriptor " + name).orElse("all descriptors")
        + (prefix.isEmpty() ? "" : ", below " + prefix);
  }
}
