package dev.evenkeel.app.serve;

import dev.evenkeel.api.volume.OperationExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What runs, what it holds, and what is kept waiting because it failed. */
final class Operations {
  private final Subject subject;

  Operations(Subject subject) {
    this.subject = subject;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/v1/operations", "operations", "Operations that run.", this::pending),
        Route.get(
            "/api/v1/locks", "operations", "Locks: holder, stage and age of each.", this::locks),
        Route.get(
            "/api/v1/back-off",
            "operations",
            "Failed operations whose repeat is refused for a while.",
            this::backOff));
  }

  private Answer pending(Call call) {
    Instant now = subject.now();
    return Answer.json(
        Map.of(
            "operations",
            Trees.list(subject.loop().operations().pending(), one -> Trees.pending(one, now))));
  }

  private Answer locks(Call call) {
    Instant now = subject.now();
    return Answer.json(
        Map.of("locks", Trees.list(subject.loop().operations().locks(), held -> lock(held, now))));
  }

  static Map<String, Object> lock(OperationExecutor.Held held, Instant now) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("id", held.key().id());
    tree.put("mode", Trees.word(held.key().mode()));
    if (!held.key().scope().isEmpty()) {
      tree.put("scope", held.key().scope());
    }
    tree.put("holder", Trees.pending(held.holder(), now));
    return tree;
  }

  private Answer backOff(Call call) {
    Instant now = subject.now();
    return Answer.json(
        Map.of(
            "backOff",
            Trees.list(subject.loop().operations().backOff(), failed -> failed(failed, now))));
  }

  static Map<String, Object> failed(OperationExecutor.Failed failed, Instant now) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("kind", failed.kind());
    tree.put("subject", failed.subject());
    if (!failed.scope().isEmpty()) {
      tree.put("scope", failed.scope());
    }
    tree.put("failed", failed.failed().toString());
    tree.put("until", failed.until().toString());
    Duration left = Duration.between(now, failed.until());
    tree.put("leftMicros", left.isNegative() ? 0 : Trees.micros(left));
    tree.put("failure", Trees.failure(failed.failure()));
    return tree;
  }
}
