package dev.evenkeel.app.serve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/** All that can be asked of one controller: finds the route of a request and answers it. */
final class Api {
  static final String STREAM = "/api/v1/events/stream";

  private final List<Route> routes;

  Api(Subject subject, List<Route> more) {
    List<Route> all = new ArrayList<>();
    all.addAll(new Probes(subject).routes());
    all.addAll(new Events(subject).routes());
    all.add(
        Route.get(
                STREAM,
                "events",
                "Server-sent: each event as it ends, the loop's state as it changes, and how many"
                    + " were missed by who reads too slowly.",
                call -> {
                  throw new IllegalStateException("the server answers this one");
                })
            .giving("text/event-stream"));
    all.addAll(new Transactions(subject).routes());
    all.addAll(new Values(subject).routes());
    all.addAll(new Graphs(subject).routes());
    all.addAll(new Explain(subject).routes());
    all.addAll(new Operations(subject).routes());
    all.addAll(new Volumes(subject).routes());
    all.addAll(new Control(subject).routes());
    all.add(Route.get("/api/openapi.json", "probes", "This document.", call -> document()));
    all.addAll(more);
    routes = List.copyOf(all);
  }

  List<Route> routes() {
    return routes;
  }

  private Answer document() {
    String version =
        Objects.requireNonNullElse(Api.class.getPackage().getImplementationVersion(), "dev");
    return Answer.json(OpenApi.document(version, routes));
  }

  /** A route with what its path names. */
  record Found(Route route, Map<String, String> path) {}

  /** The route of a path; a problem when there is none, or only for other methods. */
  Found find(String method, List<String> segments) {
    TreeSet<String> others = new TreeSet<>();
    List<Found> candidates = new ArrayList<>();
    for (Route route : routes) {
      Optional<Map<String, String>> path = route.match(segments);
      if (path.isPresent() && route.method().equals(method)) {
        candidates.add(new Found(route, path.get()));
      } else if (path.isPresent()) {
        others.add(route.method());
      }
    }
    // A route without names in its path beats one with.
    return candidates.stream()
        .min((a, b) -> Integer.compare(a.path().size(), b.path().size()))
        .orElseThrow(
            () ->
                others.isEmpty()
                    ? Problem.notFound("there is nothing here; /api/openapi.json tells what is")
                    : Problem.of(405, "only " + String.join(", ", others) + " here"));
  }

  Answer answer(Found found, Params params, byte[] body) throws Exception {
    params.onlyKnown(found.route().names());
    if (found.route().params().isEmpty()) {
      params.check();
    }
    Call call = new Call(new LinkedHashMap<>(found.path()), params, body);
    Answer answer = found.route().action().answer(call);
    params.check(); // for those that have no parameters, and so do not look
    return answer;
  }
}
