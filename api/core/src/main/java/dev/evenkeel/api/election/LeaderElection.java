package dev.evenkeel.api.election;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Experimental;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Finds one leader among several controllers. Implemented by the datastores that can (etcd), and by
 * tests; any thread, never blocks. Acquires for ever: a transient error is retried, a wrong
 * configuration fails at once.
 */
public interface LeaderElection extends AutoCloseable {
  /**
   * Runs for leader; completes when this process leads.
   *
   * @param candidate who runs, for people
   */
  CompletionStage<Leadership> campaign(String candidate);

  /**
   * How long after a leader has died its lease may last: what it has begun may go on as long. A
   * minute, where nobody knows better.
   */
  @Experimental
  default Duration lease() {
    return Duration.ofMinutes(1);
  }

  /** Tells who leads, now and at each change, on a thread of the election's own. */
  AutoCloseable observe(Consumer<Optional<Leader>> observer);

  /** Resigns, if it leads, and ends. Idempotent. */
  @Override
  void close();

  /** Who leads, and in which epoch. */
  record Leader(String candidate, Epoch epoch) {}
}
