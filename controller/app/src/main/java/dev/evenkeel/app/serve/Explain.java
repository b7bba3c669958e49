package dev.evenkeel.app.serve;

import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.GraphSnapshot;
import dev.evenkeel.api.volume.OperationExecutor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Why a value or a volume is as it is: its state, what it waits for, who holds its lock, which
 * event, handler and step touched it last, and what happens next.
 */
final class Explain {
  /** How many events back are looked through. */
  private static final int LOOK_BACK = 10_000;

  private static final int SHOWN_EVENTS = 5;
  private static final int DEEPEST = 5;

  private final Subject subject;

  Explain(Subject subject) {
    this.subject = subject;
  }

  List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/explain",
                "values",
                "Why a value or a volume is as it is, and what happens next.",
                this::explain)
            .with("what", "string", "path of a value, or name or id of a volume; needed"));
  }

  private Answer explain(Call call) {
    String what = call.params().required("what");
    call.params().check();
    Optional<GraphSnapshot> graph =
        subject.loop().transactions().flatMap(h -> h.graphAt(Instant.MAX));
    Optional<GraphNode> node = graph.flatMap(g -> g.node(what));
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("what", what);
    if (node.isPresent()) {
      value(tree, graph.orElseThrow(), node.get());
    } else if (!volume(tree, what)) {
      throw Problem.notFound(
          "there is no value with the path, and no volume with the name, "
              + Shown.cut(what, 200)
              + "; nor does an event of the history speak of it");
    }
    return Answer.json(tree);
  }

  // ---- values ----------------------------------------------------------------------------------

  private void value(Map<String, Object> tree, GraphSnapshot graph, GraphNode node) {
    tree.put("kind", "value");
    tree.put("state", Trees.word(node.state()));
    tree.put("why", why(graph, node));
    tree.put("next", next(node));
    tree.put("value", Trees.nodeWithValues(node));
    List<Object> waits = new ArrayList<>();
    waits(graph, node, 0, waits);
    tree.put("waitsFor", waits);
    locks(tree, node.key(), "");
    List<Object> events = new ArrayList<>();
    List<EventRecord> all = subject.loop().history().last(LOOK_BACK);
    for (int i = all.size() - 1; i >= 0 && events.isEmpty(); i--) {
      EventRecord record = all.get(i);
      if (record.transaction().filter(t -> t.number() == node.transaction()).isPresent()) {
        events.add(Trees.event(record));
      }
    }
    tree.put("lastTouchedBy", events);
    tree.put("lastTransaction", node.transaction());
  }

  private static String why(GraphSnapshot graph, GraphNode node) {
    String details = String.join(", ", node.details());
    String failure =
        node.failure().map(f -> f.operation() + ": " + f.message()).orElse("nothing says why");
    String text =
        switch (node.state()) {
          case PENDING -> "it waits for " + unmet(graph, node);
          case INVALID -> "its descriptor refuses it: " + (details.isEmpty() ? failure : details);
          case FAILED, RETRYING -> "its last operation failed: " + failure;
          case MISSING -> "it was applied, and the last look at the outside did not find it";
          case UNIMPLEMENTED -> "no descriptor describes it";
          case UNKNOWN -> "its descriptor could not be asked what is there: " + failure;
          case CONFIGURED -> "it is applied";
          case OBTAINED -> "the outside made it";
          case DISCOVERED -> "it was found outside, and nobody has asked for it in this run";
          case REMOVED, NONEXISTENT -> "it is not there";
        };
    return Shown.text(text, 2_000);
  }

  private static String unmet(GraphSnapshot graph, GraphNode node) {
    List<String> unmet = new ArrayList<>();
    for (GraphNode.Target target : node.targets()) {
      if (!target.met()) {
        List<String> keys = new ArrayList<>();
        for (String key : target.keys().stream().limit(5).toList()) {
          String state =
              graph.node(key).map(n -> "is " + Trees.word(n.state())).orElse("is not there");
          keys.add(key + ", which " + state);
        }
        unmet.add(target.label() + (keys.isEmpty() ? "" : " (" + String.join("; ", keys) + ")"));
      }
    }
    return unmet.isEmpty() ? String.join(", ", node.details()) : String.join(", and for ", unmet);
  }

  private static String next(GraphNode node) {
    return switch (node.state()) {
      case PENDING -> "it is made by itself as soon as all that it waits for is there";
      case INVALID -> "nothing, until somebody puts another value";
      case FAILED ->
          "nothing by itself but a healing resync; a new value, or `evenkeel resync`,"
              + " tries it again";
      case RETRYING -> "it is tried again by itself, with growing pauses";
      case MISSING, UNKNOWN ->
          "the next resync that finds its descriptor able to answer puts it" + " right";
      case UNIMPLEMENTED -> "it is made when a descriptor for its path is registered";
      case CONFIGURED, OBTAINED -> "nothing: all is well";
      case DISCOVERED -> "a resync removes it, unless somebody asks for it";
      case REMOVED, NONEXISTENT -> "nothing";
    };
  }

  /** What waits for what, down to the end of the chain. */
  private static void waits(GraphSnapshot graph, GraphNode node, int depth, List<Object> out) {
    for (GraphNode.Target target : node.targets()) {
      if (target.met() || depth >= DEEPEST || out.size() >= 50) {
        continue;
      }
      for (String key : target.keys().stream().limit(5).toList()) {
        Optional<GraphNode> other = graph.node(key);
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("value", node.key());
        one.put("needs", key);
        one.put("label", target.label());
        one.put("state", other.map(n -> Trees.word(n.state())).orElse("absent"));
        out.add(one);
        other.ifPresent(n -> waits(graph, n, depth + 1, out));
      }
    }
  }

  // ---- volumes ---------------------------------------------------------------------------------

  private boolean volume(Map<String, Object> tree, String what) {
    Optional<Map.Entry<String, Subject.Volume>> found =
        subject.volumes().get().entrySet().stream()
            .filter(
                entry ->
                    entry.getKey().equals(what)
                        || entry.getValue().id().equals(what)
                        || entry.getValue().uuid().equals(what))
            .findFirst();
    String name = found.map(Map.Entry::getKey).orElse(what);
    String id = found.map(entry -> entry.getValue().id()).orElse("");
    List<EventRecord> events = mentions(name, id);
    if (found.isEmpty() && events.isEmpty()) {
      return false;
    }
    tree.put("kind", found.map(entry -> entry.getValue().kind()).orElse("volume"));
    tree.put("state", found.map(entry -> entry.getValue().state()).orElse("absent"));
    locks(tree, name, id);
    List<Object> failed = new ArrayList<>();
    List<Object> running = new ArrayList<>();
    for (OperationExecutor.Failed one : subject.loop().operations().backOff()) {
      if (Volumes.isAbout(one.subject(), name, id)) {
        failed.add(Operations.failed(one, subject.now()));
      }
    }
    for (OperationExecutor.Pending one : subject.loop().operations().pending()) {
      if (Volumes.isAbout(one.subject(), name, id)) {
        running.add(Trees.pending(one, subject.now()));
      }
    }
    tree.put("running", running);
    tree.put("backOff", failed);
    found.ifPresent(e -> tree.put("volume", Volumes.tree(subject, e.getKey(), e.getValue())));
    Optional<EventRecord> last = events.stream().findFirst();
    tree.put("why", whyVolume(last, !running.isEmpty()));
    tree.put("next", nextVolume(found.map(Map.Entry::getValue), last, !running.isEmpty()));
    tree.put("lastTouchedBy", events.stream().map(Trees::event).toList());
    return true;
  }

  private static String whyVolume(Optional<EventRecord> last, boolean running) {
    if (running) {
      return "an operation is running on it";
    }
    if (last.isEmpty()) {
      return "no event that is kept speaks of it: it is as it was stored";
    }
    EventRecord event = last.get();
    String text =
        "event "
            + event.sequence()
            + " ("
            + event.type()
            + ") ended "
            + event.outcome().orElse("not yet")
            + event.failures().stream().findFirst().map(f -> ": " + f).orElse("");
    return Shown.text(text, 2_000);
  }

  private static String nextVolume(
      Optional<Subject.Volume> volume, Optional<EventRecord> last, boolean running) {
    if (running) {
      return "the operation ends, and its locks with it";
    }
    if (volume.filter(v -> !v.begun().isEmpty()).isPresent()) {
      return "an interrupted operation is finished when the same request is repeated";
    }
    boolean failed = last.filter(event -> !event.failures().isEmpty()).isPresent();
    return failed ? "nothing by itself: repeat the request" : "nothing: all is well";
  }

  /** Events whose description, or one of whose steps, names it; the newest first. */
  private List<EventRecord> mentions(String name, String id) {
    String names = Pattern.quote(name) + (id.isEmpty() ? "" : "|" + Pattern.quote(id));
    Pattern word = Pattern.compile("(?<![\\w.-])(?:" + names + ")(?![\\w-])");
    List<EventRecord> found = new ArrayList<>();
    List<EventRecord> all = subject.loop().history().last(LOOK_BACK);
    for (int i = all.size() - 1; i >= 0 && found.size() < SHOWN_EVENTS; i--) {
      if (word.matcher(all.get(i).description()).find()) {
        found.add(all.get(i));
      }
    }
    return found;
  }

  private void locks(Map<String, Object> tree, String name, String id) {
    List<Object> locks = new ArrayList<>();
    for (OperationExecutor.Held held : subject.loop().operations().locks()) {
      if (held.key().id().equals(name) || Volumes.isAbout(held.key().id(), name, id)) {
        locks.add(Operations.lock(held, subject.now()));
      }
    }
    tree.put("locks", locks);
  }
}
