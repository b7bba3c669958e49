package dev.evenkeel.app.serve;

import dev.evenkeel.api.loop.LoopStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the controller lives, is ready, and how it stands; its metrics and its configuration. */
final class Probes {
  /** A loop that is held longer is not alive. */
  private static final Duration LONGEST_HELD = Duration.ofMinutes(5);

  static final String LIVE = "/livez";
  static final String READY = "/readyz";

  private final Subject subject;

  Probes(Subject subject) {
    this.subject = subject;
  }

  List<Route> routes() {
    return List.of(
        Route.get(LIVE, "probes", "200 while a restart would not help, else 503.", this::live),
        Route.get(READY, "probes", "200 while it is in sync and moves, else 503.", this::ready),
        Route.get("/metrics", "probes", "Metrics for Prometheus.", this::metrics)
            .giving("text/plain"),
        Route.get("/api/v1/status", "probes", "How the controller stands.", this::status),
        Route.get(
            "/api/v1/config",
            "probes",
            "The configuration in force, without secrets.",
            this::config));
  }

  private Answer live(Call call) {
    LoopStatus status = subject.loop().status();
    boolean alive = status.alive(LONGEST_HELD);
    return probe(alive, "alive", alive ? Optional.empty() : Optional.of("the loop " + why(status)));
  }

  private static String why(LoopStatus status) {
    return status.notReady().orElse("is held for " + status.held());
  }

  private Answer ready(Call call) {
    LoopStatus status = subject.loop().status();
    return probe(status.ready(), "ready", status.notReady());
  }

  private static Answer probe(boolean good, String what, Optional<String> why) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put(what, good);
    why.ifPresent(text -> tree.put("reason", Shown.text(text, 2_000)));
    return Answer.json(tree).withStatus(good ? 200 : 503);
  }

  private Answer metrics(Call call) {
    return new Answer(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        subject.registry().scrape().getBytes(StandardCharsets.UTF_8));
  }

  private Answer status(Call call) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", subject.name());
    tree.put("time", subject.now().toString());
    tree.putAll(Trees.status(subject.loop().status()));
    subject.loop().history().last(1).stream()
        .findFirst()
        .ifPresent(newest -> tree.put("newestEvent", newest.sequence()));
    Values.newest(subject).ifPresent(graph -> tree.put("newestTransaction", graph.transaction()));
    tree.put("locks", subject.loop().operations().locks().size());
    tree.put("transactions", subject.loop().engineStatistics().total());
    return Answer.json(tree);
  }

  private Answer config(Call call) {
    return Answer.json(subject.configuration());
  }
}
