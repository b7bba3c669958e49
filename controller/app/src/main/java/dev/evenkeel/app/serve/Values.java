package dev.evenkeel.app.serve;

import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.GraphSnapshot;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.api.txn.ValueView;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Values by key, prefix, descriptor and state, as they are wanted or applied. */
final class Values {
  private static final int USUAL = 100;
  private static final int MOST = 1_000;

  private final Subject subject;

  Values(Subject subject) {
    this.subject = subject;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/v1/values", "values", "Values and their states.", this::list)
            .with("key", "string", "this value only")
            .with("prefix", "string", "values whose path starts so")
            .with("descriptor", "string", "values that this one describes")
            .with("state", Params.words(ValueState.class).replace(", ", "|"), "in that state")
            .with("view", "desired|applied", "with what is wanted, or with what is applied")
            .with("after", "string", "the page behind that path")
            .with("limit", "integer", "most values of one page, 1 to " + MOST + "; " + USUAL),
        Route.get("/api/v1/descriptors", "values", "What can be described.", this::descriptors));
  }

  /** The newest graph; absent before the first transaction. */
  static Optional<GraphSnapshot> newest(Subject subject) {
    return Transactions.history(subject).graphAt(Instant.MAX);
  }

  private Answer list(Call call) {
    Params params = call.params();
    Optional<String> key = params.text("key");
    String prefix = params.text("prefix").orElse("");
    Optional<String> descriptor = params.text("descriptor");
    Optional<ValueState> state = params.oneOf("state", ValueState.class);
    Optional<ValueView> view = params.oneOf("view", ValueView.class);
    String after = params.text("after").orElse("");
    int limit = params.limit("limit", USUAL, MOST);
    params.check();
    if (view.filter(ValueView.OBSERVED::equals).isPresent()) {
      throw Problem.of(501, "the observed view is not offered: use desired or applied");
    }
    Optional<GraphSnapshot> graph = newest(subject);
    Page page = new Page(limit, view);
    if (key.isPresent()) {
      GraphNode node =
          graph
              .flatMap(g -> g.node(key.get()))
              .orElseThrow(() -> Problem.notFound("there is no value " + key.get()));
      page.add(node);
    } else {
      graph.ifPresent(
          g ->
              g.forEach(
                  prefix,
                  node -> {
                    boolean wanted =
                        node.key().compareTo(after) > 0
                            && descriptor
                                .map(d -> node.descriptor().equals(Optional.of(d)))
                                .orElse(true)
                            && state.map(node.state()::equals).orElse(true);
                    if (wanted) {
                      page.add(node);
                    }
                  }));
    }
    return Answer.json(page.tree());
  }

  private Answer descriptors(Call call) {
    Map<String, Object> tree = new TreeMap<>();
    for (Descriptor<?, ?> each : subject.descriptors()) {
      tree.put(each.name(), Map.of("prefix", each.type().prefix(), "kind", each.type().name()));
    }
    return Answer.json(Map.of("descriptors", tree));
  }

  /** One page, and how many there are in all. */
  private static final class Page {
    private final Map<String, Object> shown = new LinkedHashMap<>();
    private final int limit;
    private final Optional<ValueView> view;
    private String last = "";
    private int found;

    Page(int limit, Optional<ValueView> view) {
      this.limit = limit;
      this.view = view;
    }

    void add(GraphNode node) {
      found++;
      if (shown.size() < limit) {
        last = node.key();
        Map<String, Object> tree = view.isPresent() ? Trees.node(node) : Trees.nodeWithValues(node);
        view.flatMap(v -> v == ValueView.DESIRED ? node.desired() : node.applied())
            .ifPresent(value -> tree.put("value", Shown.value(node.key(), value)));
        shown.put(node.key(), tree);
      }
    }

    Map<String, Object> tree() {
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("found", found);
      tree.put("values", List.copyOf(shown.values()));
      if (found > shown.size()) {
        tree.put("next", "after=" + last);
      }
      return tree;
    }
  }
}
