package dev.evenkeel.app.run;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.LoopStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** After something unexpected: whether it makes sense to go on. */
final class Health {
  /** The store refuses writes some way before this is used up. */
  private static final long LEAST_SPACE = 32L << 20;

  private final Path stateDir;

  Health(Path stateDir) {
    this.stateDir = stateDir;
  }

  /** Throws when going on would only make further errors. */
  void check(LoopStatus status, List<Failure> failures) {
    if (status.state() == LoopState.ABORTING || status.state() == LoopState.CLOSED) {
      throw gone(status, null);
    }
    boolean outOfRoom = failures.stream().anyMatch(f -> f.kind() == ErrorKind.RESOURCE_EXHAUSTED);
    if (outOfRoom && space() < LEAST_SPACE) {
      throw new CannotGoOnException(
          "The disk of the state directory "
              + stateDir
              + " is full: "
              + (space() >> 20)
              + " MiB are left. Make room, then run the same again.",
          null);
    }
  }

  /** The loop takes no more events. */
  CannotGoOnException gone(LoopStatus status, @Nullable Throwable cause) {
    return new CannotGoOnException(
        "The loop takes no more events, it is "
            + status.state()
            + status.reason().map(reason -> ": " + reason).orElse("")
            + ". Run the same again.",
        cause);
  }

  private long space() {
    try {
      return Files.getFileStore(stateDir).getUsableSpace();
    } catch (IOException unreadable) {
      throw new CannotGoOnException(
          "The state directory " + stateDir + " cannot be read any more: " + unreadable,
          unreadable);
    }
  }
}
