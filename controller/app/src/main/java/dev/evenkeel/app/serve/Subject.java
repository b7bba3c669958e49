package dev.evenkeel.app.serve;

import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.controller.core.ControllerLoop;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * The controller that is looked at, and what only its wiring knows. Immutable.
 *
 * @param name for people
 * @param loop answers most questions
 * @param descriptors of the values that it knows
 * @param stored reads what the datastore holds, as the input of a resync; blocks
 * @param volumes reads the volumes that are stored, by name; blocks
 * @param registry its metrics
 * @param configuration as it is in force, by name, without secrets
 * @param clock the time
 */
public record Subject(
    String name,
    ControllerLoop loop,
    List<Descriptor<?, ?>> descriptors,
    Supplier<InputState> stored,
    Supplier<SortedMap<String, Volume>> volumes,
    PrometheusMeterRegistry registry,
    Map<String, Object> configuration,
    Supplier<Instant> clock) {
  /** Copies. */
  public Subject {
    descriptors = List.copyOf(descriptors);
  }

  /**
   * A stored volume or snapshot.
   *
   * @param kind volume or snapshot
   * @param id as answered to callers
   * @param uuid of its record
   * @param state of its record
   * @param size in bytes
   * @param source what it is a copy of
   * @param created when
   * @param transaction of the operation that wrote it last
   * @param begun operations on it that have begun and not ended
   */
  public record Volume(
      String kind,
      String id,
      String uuid,
      String state,
      long size,
      Optional<String> source,
      Instant created,
      String transaction,
      List<String> begun) {
    /** Copies the list. */
    public Volume {
      begun = List.copyOf(begun);
    }
  }

  Instant now() {
    return clock.get();
  }
}
