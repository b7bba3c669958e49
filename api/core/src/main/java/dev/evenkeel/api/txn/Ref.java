package dev.evenkeel.api.txn;

import java.util.Objects;

/**
 * Stands for what a step will return: given by {@link Txn#step}, read by later steps and by
 * answers. Equal by name within one transaction.
 *
 * @param name of the step
 * @param type class of the result
 * @param <T> type of the result
 */
public record Ref<T>(String name, Class<T> type) {
  /** Refuses nulls. */
  public Ref {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
  }
}
