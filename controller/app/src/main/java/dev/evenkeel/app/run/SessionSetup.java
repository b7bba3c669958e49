package dev.evenkeel.app.run;

import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.api.loop.LoopListener;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.txn.history.HistoryOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;

/**
 * What a session has beside the stock handlers. Immutable.
 *
 * @param config numbers of the loop
 * @param history what is kept of transactions
 * @param handlers behind the stock ones
 * @param descriptors of values
 * @param sources of external configuration
 * @param listeners of the loop
 * @param registry where its numbers go
 */
record SessionSetup(
    LoopConfig config,
    HistoryOptions history,
    List<EventHandler> handlers,
    List<Descriptor<?, ?>> descriptors,
    List<ExternalSource> sources,
    List<LoopListener> listeners,
    Optional<MeterRegistry> registry) {
  SessionSetup {
    handlers = List.copyOf(handlers);
    descriptors = List.copyOf(descriptors);
    sources = List.copyOf(sources);
    listeners = List.copyOf(listeners);
  }

  /** The stock handlers alone, with the numbers that hold when nothing is said. */
  static SessionSetup usual() {
    return new SessionSetup(
        LoopConfig.DEFAULT,
        HistoryOptions.off(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty());
  }

  SessionSetup withHandlers(List<EventHandler> more) {
    return new SessionSetup(config, history, more, descriptors, sources, listeners, registry);
  }

  SessionSetup with(LoopConfig numbers, HistoryOptions kept) {
    return new SessionSetup(numbers, kept, handlers, descriptors, sources, listeners, registry);
  }

  SessionSetup withValues(List<Descriptor<?, ?>> kinds, List<ExternalSource> from) {
    return new SessionSetup(config, history, handlers, kinds, from, listeners, registry);
  }

  SessionSetup withListeners(List<LoopListener> by) {
    return new SessionSetup(config, history, handlers, descriptors, sources, by, registry);
  }

  SessionSetup observed(List<LoopListener> by, MeterRegistry numbers) {
    return new SessionSetup(
        config, history, handlers, descriptors, sources, by, Optional.of(numbers));
  }
}
