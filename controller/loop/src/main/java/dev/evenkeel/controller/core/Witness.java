package dev.evenkeel.controller.core;

import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.LoopListener;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is told what the core does: the observer, whose failure ends the loop since what it has not
 * seen must have no effect (JT-10), and the listeners, whose failures change nothing. Core's thread
 * only.
 */
final class Witness {
  private static final Logger LOG = LoggerFactory.getLogger(Witness.class);

  private final String loop;
  private final LoopObserver observer;
  private final List<LoopListener> listeners;
  private final List<LoopListener> reading;
  private final List<CountingListener> counting;
  private final boolean seesChains;
  private long turn;
  private @Nullable Throwable failed;

  Witness(LoopParts parts) {
    this.loop = parts.name();
    this.observer = parts.observer();
    this.listeners = parts.listeners();
    this.counting =
        listeners.stream()
            .filter(CountingListener.class::isInstance)
            .map(CountingListener.class::cast)
            .toList();
    this.reading = listeners.stream().filter(l -> !(l instanceof CountingListener)).toList();
    this.seesChains = listeners.stream().anyMatch(ChainListener.class::isInstance);
  }

  /**
   * A turn begins; false when its input must have no effect, since the observer has not seen it.
   */
  boolean sees(LoopInput input, Instant now) {
    turn++;
    if (failed == null && observer != LoopObserver.NONE) {
      try {
        observer.onInput(turn, now, input);
      } catch (RuntimeException | Error thrown) {
        failed = thrown;
      }
    }
    return failed == null;
  }

  /** Whether somebody looks at decisions; where many are made, they are only made then. */
  boolean looks() {
    return observer != LoopObserver.NONE;
  }

  /** Whether somebody reads records. */
  boolean isRead() {
    return !reading.isEmpty();
  }

  /** Whether somebody counts, without reading records. */
  boolean isCounted() {
    return !counting.isEmpty();
  }

  /** An event begins, for those who count. */
  void began(EventRun run) {
    for (int i = 0; i < counting.size(); i++) {
      try {
        counting.get(i).began(run.submitted.pushed(), run.begun(), run.parent.isPresent());
      } catch (RuntimeException | Error thrown) {
        LOG.warn("Loop {}: a listener failed", loop, thrown);
      }
    }
  }

  /** An event has been answered, for those who count. */
  void ended(EventRun run) {
    for (int i = 0; i < counting.size(); i++) {
      try {
        counting.get(i).ended(run);
      } catch (RuntimeException | Error thrown) {
        LOG.warn("Loop {}: a listener failed", loop, thrown);
      }
    }
  }

  void decided(LoopDecision decision) {
    if (failed == null) {
      try {
        observer.onDecision(turn, decision);
      } catch (RuntimeException | Error thrown) {
        failed = thrown;
      }
    }
  }

  /** For all listeners. */
  void tell(Consumer<LoopListener> what) {
    tell(listeners, what);
  }

  /** For those that read records. */
  void tellReaders(Consumer<LoopListener> what) {
    tell(reading, what);
  }

  private void tell(List<LoopListener> whom, Consumer<LoopListener> what) {
    for (LoopListener listener : whom) {
      try {
        what.accept(listener);
      } catch (RuntimeException | Error thrown) {
        LOG.warn("Loop {}: a listener failed", loop, thrown);
      }
    }
  }

  /** The handlers of an event have been chosen; a record is made only if somebody wants it. */
  void chosen(EventRun run) {
    if (seesChains) {
      EventRecord record = run.record();
      tell(
          listener -> {
            if (listener instanceof ChainListener chains) {
              chains.onChain(record);
            }
          });
    }
  }

  /** Why the observer is not called any more; absent while it is. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failed);
  }

  long turn() {
    return turn;
  }
}
