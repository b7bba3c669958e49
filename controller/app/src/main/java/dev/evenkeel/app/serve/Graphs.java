package dev.evenkeel.app.serve;

import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.GraphSnapshot;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.txn.history.GraphDot;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The graph of values, now or as it was: JSON, the language of Graphviz, or a picture. */
final class Graphs {
  private static final int USUAL = 500;
  private static final int MOST = 5_000;
  private static final int MOST_DRAWN = 1_000;

  private final Subject subject;

  Graphs(Subject subject) {
    this.subject = subject;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/v1/graph", "values", "The graph of values.", this::graph)
            .with("transaction", "integer", "as that one left it; beats `time`")
            .with("time", "time", "as it was then")
            .with("prefix", "string", "only values whose path starts so")
            .with("limit", "integer", "most values, 1 to " + MOST + "; " + USUAL)
            .with("format", "json|dot|svg", "json unless said otherwise")
            .giving("application/json", "text/vnd.graphviz", "image/svg+xml"));
  }

  private Answer graph(Call call) throws IOException {
    Params params = call.params();
    OptionalLong transaction = params.number("transaction");
    Optional<Instant> time = params.time("time");
    String prefix = params.text("prefix").orElse("");
    int limit = params.limit("limit", USUAL, MOST);
    Format format = params.oneOf("format", Format.class).orElse(Format.JSON);
    params.check();
    GraphSnapshot graph = snapshot(transaction, time);
    return switch (format) {
      case DOT -> {
        StringBuilder text = new StringBuilder();
        new GraphDot(limit).write(graph, prefix, text);
        yield Answer.text("text/vnd.graphviz", Shown.masked(text.toString()));
      }
      case SVG ->
          Answer.text(
              "image/svg+xml", new GraphSvg(Math.min(limit, MOST_DRAWN)).draw(graph, prefix));
      case JSON -> Answer.json(json(graph, prefix, limit));
    };
  }

  private GraphSnapshot snapshot(OptionalLong transaction, Optional<Instant> time) {
    TransactionHistory history = Transactions.history(subject);
    if (transaction.isPresent()) {
      return history
          .graphAfter(transaction.getAsLong())
          .orElseThrow(
              () ->
                  Problem.notFound(
                      "the graph after transaction "
                          + transaction.getAsLong()
                          + " is not kept, or there is no such transaction"));
    }
    return history
        .graphAt(time.orElse(Instant.MAX))
        .orElseThrow(() -> Problem.notFound("no graph is kept of that time"));
  }

  private static Map<String, Object> json(GraphSnapshot graph, String prefix, int limit) {
    List<Object> nodes = new ArrayList<>();
    int[] left = {0};
    graph.forEach(
        prefix,
        (GraphNode node) -> {
          if (nodes.size() < limit) {
            nodes.add(Trees.nodeWithValues(node));
          } else {
            left[0]++;
          }
        });
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("transaction", graph.transaction());
    tree.put("time", graph.time().toString());
    tree.put("nodes", nodes);
    tree.put("leftOut", left[0]);
    return tree;
  }

  /** How a graph is shown. */
  private enum Format {
    JSON,
    DOT,
    SVG
  }
}
