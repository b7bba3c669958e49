package dev.evenkeel.controller.core;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.api.loop.LoopListener;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.txn.engine.EngineCore;
import dev.evenkeel.txn.operation.Journal;
import dev.evenkeel.txn.operation.OperationCore;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a core is made of. Immutable.
 *
 * @param name of the loop, for people
 * @param handlers in the order in which they are called
 * @param descriptors for merging external configuration; the engine has its own list
 * @param operations what operations need; absent means that they are refused
 * @param sources of external configuration
 * @param epoch to fence with; quick
 * @param elected whether it stands by until {@link LoopInput.Led}
 * @param nanos for durations in records; decides nothing
 * @param versions what {@code turn.version} answers
 */
public record LoopParts(
    String name,
    LoopConfig config,
    List<EventHandler> handlers,
    List<Descriptor<?, ?>> descriptors,
    EngineCore engine,
    Optional<Operations> operations,
    List<ExternalSource> sources,
    List<LoopListener> listeners,
    LoopObserver observer,
    Supplier<Epoch> epoch,
    boolean elected,
    LongSupplier nanos,
    Versions versions) {
  /** Copies the lists. */
  public LoopParts {
    handlers = List.copyOf(handlers);
    descriptors = List.copyOf(descriptors);
    sources = List.copyOf(sources);
    listeners = List.copyOf(listeners);
  }

  /**
   * What operations need.
   *
   * @param core locks, back-off, verdicts, scripts
   * @param journal what reaches the datastore
   */
  public record Operations(OperationCore core, Journal journal) {}

  /** Chooses the version of a decision. */
  @FunctionalInterface
  public interface Versions {
    /** New runs: the highest. */
    Versions NEWEST = (handler, name, lowest, highest) -> highest;

    /** A number between the two, both included. */
    int choose(String handler, String name, int lowest, int highest);
  }
}
