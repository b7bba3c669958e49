package dev.evenkeel.app.run;

import dev.evenkeel.csi.CsiOptions;
import dev.evenkeel.csi.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/** Keeps a CSI driver running until the process is told to end. Blocks; used once. */
public final class CsiRun {
  private static final Duration START_LIMIT = Duration.ofMinutes(5);

  private final Path stateDir;
  private final Endpoint endpoint;
  private final CsiOptions options;

  /**
   * A run to be.
   *
   * @param endpoint where it serves
   * @param options which services it has, and on which node
   */
  public CsiRun(Path stateDir, Endpoint endpoint, CsiOptions options) {
    this.stateDir = stateDir;
    this.endpoint = endpoint;
    this.options = options;
  }

  /**
   * Runs.
   *
   * @param say is told where it serves, when it is ready
   * @throws CannotGoOnException when it cannot begin
   */
  public void execute(Consumer<String> say) throws Exception {
    StateDir dir = StateDir.open(stateDir);
    try (Signals signals = Signals.heed();
        CsiSession session = CsiSession.open(dir, options)) {
      signals.protect(session::close, () -> true);
      String address = session.serve(endpoint, options, START_LIMIT);
      say.accept("Serving at " + address + ", state in " + dir.root() + ".");
      session.awaitClosed();
    }
  }
}
