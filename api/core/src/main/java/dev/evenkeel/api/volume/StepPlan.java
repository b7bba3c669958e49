package dev.evenkeel.api.volume;

import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Txn;
import java.util.List;

/**
 * The acts of which one piece of a backend's work consists, in order.
 *
 * @param before acts whose results nobody needs
 * @param last the act that gives the result
 * @param <T> type of the result
 */
public record StepPlan<T>(List<Step<?>> before, Step<T> last) {
  /** Copies the list. */
  public StepPlan {
    before = List.copyOf(before);
  }

  /** One act. */
  public static <T> StepPlan<T> of(Step<T> only) {
    return new StepPlan<>(List.of(), only);
  }

  /** Adds all acts to a transaction, and gives what stands for the result. */
  public Ref<T> addTo(Txn txn) {
    for (Step<?> step : before) {
      var unused = txn.step(step);
    }
    return txn.step(last);
  }
}
