package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.KeyedValue;
import java.util.List;

/**
 * What was really there when the descriptors were asked. Immutable; base values only, since
 * retrieves tell no others.
 *
 * @param values ordered by path, up to the limit that was given
 * @param found how many there were
 * @param failures of descriptors that cannot retrieve, that failed, or that were not asked
 */
@Experimental
public record ObservedValues(List<Observed> values, int found, List<Failure> failures) {
  /** Copies the lists. */
  public ObservedValues {
    values = List.copyOf(values);
    failures = List.copyOf(failures);
  }

  /**
   * One value.
   *
   * @param descriptor that was asked
   * @param pair its key and value
   * @param metadata as its descriptor gave them
   * @param origin who made it, or {@link Origin#UNKNOWN}
   */
  public record Observed(String descriptor, KeyedValue<?> pair, Object metadata, Origin origin) {}
}
