package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.StateMap;
import dev.evenkeel.api.handler.StateName;
import dev.evenkeel.api.handler.Turn;
import java.util.Optional;

/**
 * Hands a plan from one handler of a turn to the next. Kept in a state map, so that it is undone
 * with the event and handlers that were built apart can share it; under the id that the event
 * locks, since an operation may write no other (JT-8).
 */
final class Plans {
  private static final StateName<VolumePlan> NAME = StateName.of("volume-plan", VolumePlan.class);

  private Plans() {}

  static Optional<VolumePlan> find(Turn turn, UpdateEvent event) {
    return subject(event).flatMap(map(turn)::get);
  }

  static void put(Turn turn, UpdateEvent event, VolumePlan plan) {
    map(turn).put(required(event), plan);
  }

  static void remove(Turn turn, UpdateEvent event) {
    map(turn).remove(required(event));
  }

  private static StateMap<VolumePlan> map(Turn turn) {
    return turn.state(NAME);
  }

  private static String required(UpdateEvent event) {
    return subject(event)
        .orElseThrow(() -> new IllegalArgumentException(event.type().name() + " is no operation"));
  }

  private static Optional<String> subject(UpdateEvent event) {
    return event.spec().lane() instanceof Lane.Operation operation
        ? Optional.of(operation.subject())
        : Optional.empty();
  }
}
