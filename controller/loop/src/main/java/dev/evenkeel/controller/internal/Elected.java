package dev.evenkeel.controller.internal;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.election.LeaderElection;
import dev.evenkeel.api.election.Leadership;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs for leader, again whenever leadership is lost, and tells a loop. Any thread. */
public final class Elected {
  private static final Logger LOG = LoggerFactory.getLogger(Elected.class);

  private final LeaderElection election;
  private final String candidate;
  private volatile Epoch epoch = Epoch.NONE;

  /** Nothing happens before {@link #run}. */
  public Elected(LeaderElection election, String candidate) {
    this.election = election;
    this.candidate = candidate;
  }

  /** The epoch of the last leadership that was won. */
  public Epoch epoch() {
    return epoch;
  }

  /**
   * Runs for leader until the election is closed.
   *
   * @throws RuntimeException what the election throws when it is asked the first time
   */
  public void run(Consumer<Boolean> led) {
    var unused =
        election
            .campaign(candidate)
            .whenComplete(
                (leadership, failed) -> {
                  if (failed == null) {
                    won(leadership, led);
                  } else if (isClosed(failed)) {
                    LOG.info("{} runs for leader no more: the election is closed", candidate);
                  } else {
                    LOG.error("{} cannot run for leader", candidate, failed);
                  }
                });
  }

  /** Campaigns go on for ever but for an end on purpose. */
  private static boolean isClosed(Throwable failed) {
    Throwable cause = failed instanceof CompletionException ? failed.getCause() : failed;
    return cause instanceof EvenkeelException known && known.kind() == ErrorKind.UNAVAILABLE;
  }

  private void won(Leadership leadership, Consumer<Boolean> led) {
    epoch = leadership.epoch();
    led.accept(true);
    var unused =
        leadership
            .lost()
            .whenComplete(
                (nothing, failed) -> {
                  led.accept(false);
                  runAgain(led);
                });
  }

  private void runAgain(Consumer<Boolean> led) {
    try {
      run(led);
    } catch (EvenkeelException refused) {
      LOG.info("{} does not run for leader again: {}", candidate, refused.getMessage());
    } catch (RuntimeException | Error thrown) {
      LOG.error("{} cannot run for leader again, and stands by", candidate, thrown);
    }
  }
}
