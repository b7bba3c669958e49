package dev.evenkeel.txn.history;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.GraphSnapshot;
import dev.evenkeel.api.txn.ValueState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A graph in the language of Graphviz: one cluster per descriptor, states as colours, solid edges
 * to what a value needs, dashed ones where that is not there, dotted ones to what derives from it.
 * The same graph gives the same text. Any thread; blocks when its target does, and passes on its
 * {@link IOException}.
 */
@Experimental("new")
public final class GraphDot {
  private static final String NOBODY = "(no descriptor)";

  private final int most;

  /**
   * A renderer, to be used as often as one likes.
   *
   * @param most how many values are drawn; of more, the first by path, with a note
   */
  public GraphDot(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("a graph has a value");
    }
    this.most = most;
  }

  /** Draws the values whose path starts with the prefix, and what they need. */
  public void write(GraphSnapshot graph, String prefix, Appendable out) throws IOException {
    List<GraphNode> nodes = new ArrayList<>();
    int[] left = {0};
    graph.forEach(
        prefix,
        node -> {
          if (nodes.size() < most) {
            nodes.add(node);
          } else {
            left[0]++;
          }
        });
    out.append("digraph evenkeel {\n");
    out.append("  label=").append(quoted(title(graph, left[0]))).append(";\n");
    out.append("  labelloc=t;\n  rankdir=LR;\n");
    out.append("  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];\n");
    clusters(nodes, out);
    SortedSet<String> drawn = new TreeSet<>();
    nodes.forEach(node -> drawn.add(node.key()));
    SortedSet<String> absent = new TreeSet<>();
    StringBuilder edges = new StringBuilder();
    for (GraphNode node : nodes) {
      edges(node, drawn, absent, edges);
    }
    for (String key : absent) {
      out.append("  ").append(quoted(key));
      out.append(" [style=\"rounded,dashed\", color=gray50, fontcolor=gray50];\n");
    }
    out.append(edges).append("}\n");
  }

  private static String title(GraphSnapshot graph, int left) {
    String title = "after transaction " + graph.transaction();
    return left == 0 ? title : title + "\n" + left + " more values are left out";
  }

  private static void clusters(List<GraphNode> nodes, Appendable out) throws IOException {
    SortedMap<String, List<GraphNode>> clusters = new TreeMap<>();
    for (GraphNode node : nodes) {
      clusters.computeIfAbsent(node.descriptor().orElse(NOBODY), d -> new ArrayList<>()).add(node);
    }
    int number = 0;
    for (var cluster : clusters.entrySet()) {
      out.append("  subgraph cluster_").append(Integer.toString(number)).append(" {\n");
      out.append("    label=").append(quoted(cluster.getKey())).append(";\n");
      out.append("    color=gray70;\n");
      for (GraphNode node : cluster.getValue()) {
        out.append("    ").append(quoted(node.key()));
        out.append(" [fillcolor=").append(colour(node.state()));
        out.append(", tooltip=").append(quoted(tooltip(node))).append("];\n");
      }
      out.append("  }\n");
      number++;
    }
  }

  private static String tooltip(GraphNode node) {
    StringBuilder text = new StringBuilder(node.state().name());
    text.append(", last ").append(node.last().name());
    text.append(" in transaction ").append(node.transaction());
    node.failure().ifPresent(failure -> text.append("; ").append(failure.message()));
    if (!node.details().isEmpty()) {
      text.append("; ").append(String.join(", ", node.details()));
    }
    return TextOptions.cut(text.toString(), 300, "...");
  }

  private static void edges(
      GraphNode node, SortedSet<String> drawn, SortedSet<String> absent, StringBuilder out) {
    if (node.base().isPresent()) {
      out.append("  ").append(quoted(node.base().get()));
      out.append(" -> ").append(quoted(node.key()));
      out.append(" [style=dotted, arrowhead=empty, tooltip=\"derives\"];\n");
    }
    for (GraphNode.Target target : node.targets()) {
      List<String> keys = target.keys().isEmpty() ? List.of(target.label()) : target.keys();
      for (String key : keys) {
        if (!drawn.contains(key)) {
          absent.add(key);
        }
        out.append("  ").append(quoted(node.key()));
        out.append(" -> ").append(quoted(key));
        out.append(target.met() ? " [style=solid" : " [style=dashed, color=red");
        if (!target.label().equals(key)) {
          out.append(", label=").append(quoted(target.label()));
        }
        out.append("];\n");
      }
    }
  }

  private static String colour(ValueState state) {
    return switch (state) {
      case CONFIGURED -> "palegreen";
      case OBTAINED -> "lightcyan";
      case DISCOVERED -> "paleturquoise";
      case PENDING -> "lightyellow";
      case INVALID -> "lightpink";
      case FAILED -> "tomato";
      case RETRYING -> "orange";
      case MISSING -> "gold";
      case UNIMPLEMENTED -> "thistle";
      case REMOVED, NONEXISTENT -> "gray90";
      case UNKNOWN -> "white";
    };
  }

  /** A quoted identifier: quotes and backslashes are escaped, line ends shown as such. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c == '\n') {
        quoted.append("\\n");
      } else {
        quoted.append(Character.isISOControl(c) ? '?' : c);
      }
    }
    return quoted.append('"').toString();
  }
}
