package dev.evenkeel.api.handler;

import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.event.UpdateEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes handlers from functions: {@code Handlers.named("quota").on(VolumeAsked.class, (event, turn)
 * -> …).build()}.
 */
public final class Handlers {
  private Handlers() {}

  /** Reacts to an update event of one class. */
  @FunctionalInterface
  public interface OnUpdate<E extends UpdateEvent> {
    /** As {@link EventHandler#update}. */
    String update(E event, Turn turn) throws Exception;
  }

  /** Rebuilds everything. */
  @FunctionalInterface
  public interface OnResync {
    /** As {@link EventHandler#resync}. */
    void resync(ResyncEvent event, Turn turn) throws Exception;
  }

  /** Begins a handler of that name. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** Collects the parts of a handler. */
  public static final class Builder {
    private final String name;
    private final List<Reaction> updates = new ArrayList<>();
    private @Nullable OnResync resync;
    private Order order = Order.ANY;

    private Builder(String name) {
      this.name = Objects.requireNonNull(name, "name");
    }

    /**
     * Reacts to events of that class and its subclasses; the first reaction given that fits an
     * event wins.
     *
     * @throws IllegalArgumentException when there is a reaction to that class already
     */
    public <E extends UpdateEvent> Builder on(Class<E> type, OnUpdate<E> reaction) {
      return add(new Reaction(type.getName(), type::isInstance, reaction));
    }

    /**
     * Reacts to changes of input values of that kind, and is not asked about others.
     *
     * @throws IllegalArgumentException when there is a reaction to that kind already
     */
    public Builder onChange(KeyType<?> type, OnUpdate<StateChange> reaction) {
      return add(
          new Reaction(
              "changes of " + type,
              event -> event instanceof StateChange change && change.isOf(type),
              reaction));
    }

    private Builder add(Reaction reaction) {
      if (updates.stream().anyMatch(other -> other.to().equals(reaction.to()))) {
        throw new IllegalArgumentException(name + " reacts twice to " + reaction.to());
      }
      updates.add(reaction);
      return this;
    }

    /** What to do in a resync; without it the handler sees none, and contributes nothing. */
    public Builder resync(OnResync reaction) {
      resync = Objects.requireNonNull(reaction, "resync");
      return this;
    }

    /** Where it wants to stand. */
    public Builder order(Order wish) {
      order = Objects.requireNonNull(wish, "order");
      return this;
    }

    /** Makes the handler. */
    public EventHandler build() {
      return new FunctionHandler(name, List.copyOf(updates), resync, order);
    }
  }

  private record Reaction(String to, Predicate<Event> wants, OnUpdate<?> call) {}

  private record FunctionHandler(
      String name, List<Reaction> updates, @Nullable OnResync onResync, Order order)
      implements EventHandler {
    @Override
    public boolean handlesEvent(Event event) {
      return event.method() == EventMethod.UPDATE ? reaction(event) != null : onResync != null;
    }

    @Override
    public void resync(ResyncEvent event, Turn turn) throws Exception {
      if (onResync != null) {
        onResync.resync(event, turn);
      }
    }

    @Override
    @SuppressWarnings("unchecked") // what a reaction wants is of the class that it takes
    public String update(UpdateEvent event, Turn turn) throws Exception {
      OnUpdate<UpdateEvent> reaction = (OnUpdate<UpdateEvent>) reaction(event);
      return reaction == null ? "" : reaction.update(event, turn);
    }

    private @Nullable OnUpdate<?> reaction(Event event) {
      for (Reaction reaction : updates) {
        if (reaction.wants().test(event)) {
          return reaction.call();
        }
      }
      return null;
    }
  }
}
