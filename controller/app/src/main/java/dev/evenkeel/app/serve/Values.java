package dev.evenkeel.app.serve;

import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.GraphSnapshot;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.ObservedValues;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.api.txn.ValueView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/** Values by key, prefix, descriptor and state, as they are wanted or applied. */
final class Values {
  private static final int USUAL = 100;
  private static final int MOST = 1_000;
  private static final int MOST_OBSERVED = ObserveValues.MOST;
  private static final Duration OBSERVE_LIMIT = Duration.ofSeconds(30);

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
            .with(
                "view", "desired|applied|observed", "what is wanted, applied, or found outside now")
            .with("after", "string", "the page behind that path")
            .with("limit", "integer", "most values of one page, 1 to " + MOST + "; " + USUAL),
        Route.get("/api/v1/descriptors", "values", "What can be described.", this::descriptors));
  }

  /** The newest graph; absent before the first transaction. */
  static Optional<GraphSnapshot> newest(Subject subject) {
    return Transactions.history(subject).graphAt(Instant.MAX);
  }

  private Answer list(Call call) throws InterruptedException {
    Params params = call.params();
    Optional<String> key = params.text("key");
    String prefix = params.text("prefix").orElse("");
    Optional<String> descriptor = params.text("descriptor");
    Optional<ValueState> state = params.oneOf("state", ValueState.class);
    Optional<ValueView> view = params.oneOf("view", ValueView.class);
    String after = params.text("after").orElse("");
    int limit = params.limit("limit", USUAL, MOST);
    boolean observed = view.filter(ValueView.OBSERVED::equals).isPresent();
    if (observed && state.isPresent()) {
      params.fault("state", "", "is the controller's view: what is observed has none");
    }
    params.check();
    if (observed) {
      return observed(key, prefix, descriptor, after, limit);
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

  /** Asks the outside, through the loop, and waits; values that derive from others are not told. */
  private Answer observed(
      Optional<String> key, String prefix, Optional<String> descriptor, String after, int limit)
      throws InterruptedException {
    ObserveValues request =
        new ObserveValues(descriptor, key.orElse(prefix), after.isEmpty() ? limit : MOST_OBSERVED);
    Outcome<ObservedValues> outcome;
    try {
      outcome = Pushing.push(subject.loop(), request).await(OBSERVE_LIMIT);
    } catch (TimeoutException slow) {
      throw Problem.of(503, "the outside has not answered within " + OBSERVE_LIMIT);
    }
    Optional<ObservedValues> answer = outcome.answer();
    if (answer.isEmpty()) {
      throw Problem.of(503, "the outside was not asked: " + outcome.failures());
    }
    List<Object> shown = new ArrayList<>();
    String last = "";
    int passed = 0;
    for (ObservedValues.Observed one : answer.get().values()) {
      String path = one.pair().key().path();
      if (path.compareTo(after) <= 0) {
        passed++;
      } else if (shown.size() < limit && key.map(path::equals).orElse(true)) {
        shown.add(observed(one));
        last = path;
      }
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("found", answer.get().found() - passed);
    tree.put("values", shown);
    tree.put("failures", Trees.list(answer.get().failures(), Trees::failure));
    if (key.isEmpty() && answer.get().found() - passed > shown.size()) {
      tree.put("next", "after=" + last);
    }
    return Answer.json(tree);
  }

  private static Map<String, Object> observed(ObservedValues.Observed one) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("key", one.pair().key().path());
    tree.put("descriptor", one.descriptor());
    tree.put("origin", Trees.word(one.origin()));
    tree.put("value", Shown.value(one.pair().key().path(), one.pair().value()));
    return tree;
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
