package dev.evenkeel.app.run;

import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.loop.LoopListener;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.app.serve.EventStream;
import dev.evenkeel.app.serve.OperatorServer;
import dev.evenkeel.app.serve.Route;
import dev.evenkeel.app.serve.ServeSettings;
import dev.evenkeel.app.serve.Subject;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * A session that operators look at: with metrics, a history of transactions, and an HTTP side. Any
 * thread may close it.
 */
final class Service implements AutoCloseable {
  private static final Duration GLANCE = Duration.ofMillis(250);

  /** The file in the state directory that tells where the controller listens. */
  static final String ADDRESS_FILE = "http";

  private final Session session;
  private final EventStream stream;
  private final OperatorServer server;
  private final Path addressFile;

  private Service(Session session, EventStream stream, OperatorServer server, Path addressFile) {
    this.session = session;
    this.stream = stream;
    this.server = server;
    this.addressFile = addressFile;
  }

  /**
   * Opens a session and listens.
   *
   * @param configuration in force, for people, without secrets
   * @param more that can be asked
   */
  static Service start(
      StateDir dir,
      SessionSetup setup,
      ServeSettings http,
      Map<String, Object> configuration,
      boolean faultsAllowed,
      List<Route> more)
      throws IOException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    EventStream stream = new EventStream();
    stream.bind(registry);
    List<LoopListener> listeners = new ArrayList<>(setup.listeners());
    listeners.add(stream);
    List<AutoCloseable> open = new ArrayList<>(List.of(stream));
    try {
      Session session = Session.open(dir, setup.observed(listeners, registry));
      open.add(0, session);
      List<Route> routes = new ArrayList<>(more);
      routes.addAll(new Pushes(session, faultsAllowed).routes());
      Subject subject = subject(session, registry, configuration);
      OperatorServer server = OperatorServer.start(http, subject, stream, routes);
      open.add(0, server);
      Path file = dir.root().resolve(ADDRESS_FILE);
      Files.writeString(file, server.address() + "\n");
      return new Service(session, stream, server, file);
    } catch (IOException | RuntimeException failed) {
      for (AutoCloseable part : open) {
        try {
          part.close();
        } catch (Exception further) {
          failed.addSuppressed(further);
        }
      }
      throw failed;
    }
  }

  private static Subject subject(
      Session session, PrometheusMeterRegistry registry, Map<String, Object> configuration) {
    return new Subject(
        "evenkeel",
        session.loop(),
        session.setup().descriptors(),
        () -> Records.in(session.store()).asInput(),
        () -> volumes(Records.in(session.store())),
        registry,
        configuration,
        InstantSource.system()::instant);
  }

  private static SortedMap<String, Subject.Volume> volumes(Records records) {
    SortedMap<String, Subject.Volume> volumes = new TreeMap<>();
    records.volumes().values().forEach(r -> volumes.put(r.name(), volume("volume", r, records)));
    // A volume and a snapshot may have the same name.
    records
        .snapshots()
        .values()
        .forEach(
            r ->
                volumes.put(
                    volumes.containsKey(r.name()) ? r.name() + " (snapshot)" : r.name(),
                    volume("snapshot", r, records)));
    return volumes;
  }

  private static Subject.Volume volume(String kind, ObjectRecord record, Records records) {
    List<String> begun =
        records.begun().stream()
            .filter(text -> text.endsWith("/" + record.name()) || text.endsWith("/" + record.id()))
            .toList();
    return new Subject.Volume(
        kind,
        record.id(),
        record.uuid(),
        record.state().name().toLowerCase(Locale.ROOT),
        record.size(),
        record.source(),
        record.created(),
        record.transaction(),
        begun);
  }

  /** Shows the handlers what is stored; opens the gate. */
  void resync(Duration limit) throws InterruptedException {
    Outcome<Void> outcome;
    try {
      outcome =
          session
              .loop()
              .pushEvent(DatastoreResync.of(Records.in(session.store()).asInput()))
              .await(limit);
    } catch (TimeoutException slow) {
      throw new CannotGoOnException("What is stored is not taken up within " + limit + ".", slow);
    }
    if (!outcome.isSuccess()) {
      throw new CannotGoOnException(
          "What is stored cannot be taken up: " + outcome.failures(), null);
    }
  }

  /** Waits until the loop is closed by somebody, or it is told to stop. */
  void hold(Signals signals) throws InterruptedException {
    while (!signals.calledOff()) {
      // Nobody else shows them here.
      var unused = session.feed().poll(GLANCE);
    }
  }

  Session session() {
    return session;
  }

  EventStream stream() {
    return stream;
  }

  /** Where it listens. */
  String address() {
    return server.address();
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(addressFile);
    } catch (IOException staysBehind) {
      // It names an address where nobody listens; whoever asks there is told so.
      System.getLogger(Service.class.getName())
          .log(System.Logger.Level.DEBUG, "the file stays behind", staysBehind);
    }
    try {
      session.close();
    } finally {
      stream.close();
      server.close();
    }
  }
}
