package dev.evenkeel.app.serve;

import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.GraphSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Draws a graph of values: in columns from the left to the right, each value right of all that it
 * needs. A solid line leads to what is there, a dashed one to what is missing, a dotted one to the
 * value that it derives from. The same graph gives the same picture. Immutable; any thread.
 */
final class GraphSvg {
  private static final int WIDTH = 230;
  private static final int HEIGHT = 40;
  private static final int GAP_X = 90;
  private static final int GAP_Y = 16;
  private static final int MARGIN = 20;
  private static final int LETTERS = 32;

  /** All below one class: in a page that takes the picture over, nothing else is touched. */
  private static final String STYLE =
      ".values text{font:12px sans-serif;fill:#111}"
          + ".values .s{font-size:10px;fill:#333}"
          + ".values rect{stroke:#555;fill:#fff}"
          + ".values .configured rect{fill:#c8f0c8}"
          + ".values .obtained rect,.values .discovered rect{fill:#cdeef5}"
          + ".values .pending rect{fill:#fff3b8}.values .invalid rect{fill:#ffd0d8}"
          + ".values .failed rect{fill:#ff9a8a}.values .retrying rect{fill:#ffcf87}"
          + ".values .missing rect{fill:#ffe08a}.values .unimplemented rect{fill:#e6d8ee}"
          + ".values .absent rect{stroke-dasharray:4 3}"
          + ".values path{fill:none;stroke:#666}"
          + ".values .unmet{stroke:#c00;stroke-dasharray:5 4}"
          + ".values .derives{stroke-dasharray:1 4}";

  private final int most;

  GraphSvg(int most) {
    this.most = most;
  }

  /** A box: a value, or the place of one that is not there. */
  private record Box(String key, String state, String tip) {}

  private record Line(String from, String to, String kind) {}

  CharSequence draw(GraphSnapshot graph, String prefix) {
    SortedMap<String, Box> boxes = new TreeMap<>();
    List<Line> lines = new ArrayList<>();
    int[] left = {0};
    graph.forEach(
        prefix,
        node -> {
          if (boxes.size() < most) {
            boxes.put(node.key(), new Box(node.key(), Trees.word(node.state()), tip(node)));
            lines(node, lines);
          } else {
            left[0]++;
          }
        });
    for (Line line : lines) {
      if (boxes.size() < 2 * most) {
        boxes.putIfAbsent(line.to(), new Box(line.to(), "absent", "not there"));
      }
    }
    lines.removeIf(line -> !boxes.containsKey(line.to()));
    return picture(boxes, lines, title(graph, left[0]));
  }

  private static String title(GraphSnapshot graph, int left) {
    String title = "values after transaction " + graph.transaction();
    return left == 0 ? title : title + ", " + left + " more are left out";
  }

  private static String tip(GraphNode node) {
    StringBuilder tip = new StringBuilder(Trees.word(node.state()));
    node.failure().ifPresent(failure -> tip.append(": ").append(failure.message()));
    if (!node.details().isEmpty()) {
      tip.append(": ").append(String.join(", ", node.details()));
    }
    return Shown.text(tip.toString(), 300);
  }

  private static void lines(GraphNode node, List<Line> lines) {
    node.base().ifPresent(base -> lines.add(new Line(node.key(), base, "derives")));
    for (GraphNode.Target target : node.targets()) {
      List<String> keys = target.keys().isEmpty() ? List.of(target.label()) : target.keys();
      for (String key : keys) {
        lines.add(new Line(node.key(), key, target.met() ? "met" : "unmet"));
      }
    }
  }

  private static CharSequence picture(
      SortedMap<String, Box> boxes, List<Line> lines, String title) {
    Map<String, Integer> column = columns(boxes.keySet(), lines);
    Map<Integer, Integer> used = new HashMap<>();
    Map<String, int[]> places = new HashMap<>();
    int wide = 0;
    int high = 0;
    for (String key : boxes.keySet()) {
      int at = column.getOrDefault(key, 0);
      int row = used.merge(at, 1, Integer::sum) - 1;
      int[] place = {MARGIN + at * (WIDTH + GAP_X), MARGIN + row * (HEIGHT + GAP_Y)};
      places.put(key, place);
      wide = Math.max(wide, place[0] + WIDTH + MARGIN);
      high = Math.max(high, place[1] + HEIGHT + MARGIN);
    }
    StringBuilder svg = new StringBuilder(1 << 12);
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"values\" role=\"img\" width=\"")
        .append(Math.max(wide, 200))
        .append("\" height=\"")
        .append(Math.max(high, 60))
        .append("\"><title>")
        .append(escaped(title))
        .append("</title><style>")
        .append(STYLE)
        .append("</style>");
    if (boxes.isEmpty()) {
      svg.append("<text x=\"20\" y=\"34\">There are no values.</text>");
    }
    for (Line line : lines) {
      int[] from = places.get(line.from());
      int[] to = places.get(line.to());
      if (from != null && to != null) {
        line(svg, from, to, line.kind());
      }
    }
    boxes.values().forEach(box -> box(svg, box, places.getOrDefault(box.key(), new int[2])));
    return svg.append("</svg>");
  }

  /** Each behind all that it needs; whoever is in a circle stays where it was met first. */
  private static Map<String, Integer> columns(Set<String> keys, List<Line> lines) {
    Map<String, List<String>> needs = new HashMap<>();
    for (Line line : lines) {
      needs.computeIfAbsent(line.from(), key -> new ArrayList<>()).add(line.to());
    }
    Map<String, Integer> column = new HashMap<>();
    for (String key : keys) {
      column(key, needs, column, new HashSet<>());
    }
    return column;
  }

  private static int column(
      String start,
      Map<String, List<String>> needs,
      Map<String, Integer> column,
      Set<String> under) {
    Integer known = column.get(start);
    if (known != null) {
      return known;
    }
    if (!under.add(start) || under.size() > 500) {
      return 0;
    }
    int at = 0;
    for (String need : needs.getOrDefault(start, List.of())) {
      at = Math.max(at, column(need, needs, column, under) + 1);
    }
    under.remove(start);
    column.put(start, at);
    return at;
  }

  private static void line(StringBuilder svg, int[] from, int[] to, String kind) {
    int x1 = from[0];
    int y1 = from[1] + HEIGHT / 2;
    int x2 = to[0] + WIDTH;
    int y2 = to[1] + HEIGHT / 2;
    svg.append("<path class=\"").append(kind).append("\" d=\"M").append(x1).append(' ');
    svg.append(y1).append(" C").append(x1 - GAP_X / 2).append(' ').append(y1).append(' ');
    svg.append(x2 + GAP_X / 2).append(' ').append(y2).append(' ');
    svg.append(x2).append(' ').append(y2).append("\"/>");
  }

  private static void box(StringBuilder svg, Box box, int[] at) {
    String name = box.key();
    if (name.length() > LETTERS) {
      name = "..." + name.substring(name.length() - LETTERS + 3);
    }
    svg.append("<g class=\"").append(box.state()).append("\" data-key=\"");
    svg.append(escaped(box.key())).append("\"><title>").append(escaped(box.key())).append(" - ");
    svg.append(escaped(box.tip())).append("</title><rect rx=\"6\" x=\"").append(at[0]);
    svg.append("\" y=\"").append(at[1]).append("\" width=\"").append(WIDTH);
    svg.append("\" height=\"").append(HEIGHT).append("\"/><text x=\"").append(at[0] + 8);
    svg.append("\" y=\"").append(at[1] + 17).append("\">").append(escaped(name));
    svg.append("</text><text class=\"s\" x=\"").append(at[0] + 8).append("\" y=\"");
    svg.append(at[1] + 32).append("\">").append(box.state()).append("</text></g>");
  }

  /** As text and as an attribute of XML; what XML cannot hold becomes a question mark. */
  static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    Shown.wellFormed(text)
        .codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> {
                  boolean held = c >= ' ' && c != 0xFFFE && c != 0xFFFF;
                  out.appendCodePoint(held ? c : '?');
                }
              }
            });
    return out.toString();
  }
}
