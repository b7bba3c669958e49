package dev.evenkeel.app.run;

import dev.evenkeel.app.config.AppConfig;
import dev.evenkeel.app.examples.DemoSwitch;
import dev.evenkeel.app.serve.Route;
import dev.evenkeel.app.serve.ServeSettings;
import dev.evenkeel.app.trace.TraceExport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Keeps a controller running until the process is told to end. Blocks; used once. */
public final class ServiceRun {
  private static final Duration START_LIMIT = Duration.ofMinutes(5);

  private final Path stateDir;
  private final AppConfig config;
  private final ServeSettings http;
  private final boolean faultsAllowed;
  private final boolean demoSwitch;

  /**
   * A run to be.
   *
   * @param http where it listens
   * @param faultsAllowed whether events may be made to fail on purpose
   * @param demoSwitch whether it has the mock switch of the examples
   */
  public ServiceRun(
      Path stateDir,
      AppConfig config,
      ServeSettings http,
      boolean faultsAllowed,
      boolean demoSwitch) {
    this.stateDir = stateDir;
    this.config = config;
    this.http = http;
    this.faultsAllowed = faultsAllowed;
    this.demoSwitch = demoSwitch;
  }

  /**
   * Runs.
   *
   * @param say is told where it listens, when it is ready
   * @throws CannotGoOnException when it cannot begin
   */
  public void execute(Consumer<String> say) throws Exception {
    StateDir dir = StateDir.open(stateDir);
    SessionSetup setup = SessionSetup.usual().with(config.loop(), config.history());
    List<Route> routes = List.of();
    Optional<DemoSwitch> mock = demoSwitch ? Optional.of(new DemoSwitch()) : Optional.empty();
    if (mock.isPresent()) {
      setup = setup.withValues(mock.get().descriptors(), List.of(mock.get()));
      routes = mock.get().routes();
    }
    Optional<TraceExport> traces = config.otlpEndpoint().map(TraceExport::new);
    if (traces.isPresent()) {
      setup = setup.withListeners(List.of(traces.get().listener()));
    }
    try (Signals signals = Signals.heed();
        Service service = Service.start(dir, setup, http, shown(), faultsAllowed, routes)) {
      mock.ifPresent(m -> m.serves(service.session().loop()));
      signals.protect(() -> end(service, traces), () -> true);
      service.resync(START_LIMIT);
      say.accept("Listening on " + service.address() + ", state in " + dir.root() + ".");
      service.hold(signals);
    } finally {
      traces.ifPresent(TraceExport::close);
    }
  }

  /** In this order: what ends last has a trace, too. */
  private static void end(Service service, Optional<TraceExport> traces) {
    service.close();
    traces.ifPresent(TraceExport::close);
  }

  private Map<String, Object> shown() {
    Map<String, Object> shown = new LinkedHashMap<>();
    config
        .shown()
        .forEach(
            (name, one) -> shown.put(name, Map.of("value", one.value(), "source", one.source())));
    return shown;
  }
}
