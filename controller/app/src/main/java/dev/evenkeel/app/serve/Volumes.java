package dev.evenkeel.app.serve;

import dev.evenkeel.api.volume.OperationExecutor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Stored volumes and snapshots, with what runs on each. */
final class Volumes {
  private static final int USUAL = 100;
  private static final int MOST = 1_000;

  private final Subject subject;

  Volumes(Subject subject) {
    this.subject = subject;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/v1/volumes", "volumes", "Volumes and snapshots, by name.", this::list)
            .with("prefix", "string", "names that start so")
            .with("after", "string", "the page behind that name")
            .with("limit", "integer", "most of one page, 1 to " + MOST + "; " + USUAL),
        Route.get("/api/v1/volumes/{name}", "volumes", "One volume or snapshot.", this::one));
  }

  private Answer list(Call call) {
    Params params = call.params();
    String prefix = params.text("prefix").orElse("");
    String after = params.text("after").orElse("");
    int limit = params.limit("limit", USUAL, MOST);
    params.check();
    List<Object> shown = new ArrayList<>();
    String last = "";
    int found = 0;
    for (var entry : subject.volumes().get().entrySet()) {
      if (entry.getKey().startsWith(prefix) && entry.getKey().compareTo(after) > 0) {
        found++;
        if (shown.size() < limit) {
          shown.add(tree(subject, entry.getKey(), entry.getValue()));
          last = entry.getKey();
        }
      }
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("found", found);
    tree.put("volumes", shown);
    if (found > shown.size()) {
      tree.put("next", "after=" + last);
    }
    return Answer.json(tree);
  }

  private Answer one(Call call) {
    String name = call.part("name");
    SortedMap<String, Subject.Volume> all = subject.volumes().get();
    Subject.Volume volume = all.get(name);
    if (volume == null) {
      throw Problem.notFound("there is no volume or snapshot " + Shown.cut(name, 200));
    }
    return Answer.json(tree(subject, name, volume));
  }

  /** A volume with what runs on it now. */
  static Map<String, Object> tree(Subject subject, String name, Subject.Volume volume) {
    Instant now = subject.now();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", name);
    tree.put("kind", volume.kind());
    tree.put("id", volume.id());
    tree.put("uuid", volume.uuid());
    tree.put("state", volume.state());
    tree.put("size", volume.size());
    volume.source().ifPresent(source -> tree.put("source", source));
    tree.put("created", volume.created().toString());
    tree.put("transaction", volume.transaction());
    tree.put("interrupted", volume.begun());
    List<Object> running = new ArrayList<>();
    for (OperationExecutor.Pending pending : subject.loop().operations().pending()) {
      if (isAbout(pending.subject(), name, volume.id())) {
        running.add(Trees.pending(pending, now));
      }
    }
    tree.put("running", running);
    return tree;
  }

  /** Whether the subject of an operation, such as {@code volume/data-1}, is that volume. */
  static boolean isAbout(String operationSubject, String name, String id) {
    String last = operationSubject.substring(operationSubject.indexOf('/') + 1);
    return last.equals(name) || (!id.isEmpty() && last.equals(id));
  }
}
