package dev.evenkeel.app.ask;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code graph}. */
@Command(
    name = "graph",
    description = "The graph of values: as a list, for Graphviz, or as a picture.")
public final class GraphCommand extends AskCommand {
  @Option(
      names = "--format",
      paramLabel = "dot|svg",
      description = "For Graphviz, or a picture; without it a list.")
  private Optional<Format> format = Optional.empty();

  @Option(names = "--prefix", paramLabel = "PATH", description = "Values whose path starts so.")
  private Optional<String> prefix = Optional.empty();

  @Option(names = "--txn", paramLabel = "NUMBER", description = "As that transaction left it.")
  private Optional<Long> transaction = Optional.empty();

  @Option(names = "--time", paramLabel = "TIME", description = "As it was then.")
  private Optional<String> time = Optional.empty();

  @Option(names = "--limit", paramLabel = "N", description = "Most values; 500.")
  private Optional<Integer> limit = Optional.empty();

  @Option(names = "--to", paramLabel = "FILE", description = "Writes a file instead.")
  private Optional<Path> to = Optional.empty();

  /** In lower case, as they are written. */
  private enum Format {
    dot,
    svg
  }

  @Override
  public Integer call() throws IOException {
    Map<String, Optional<?>> query = new LinkedHashMap<>();
    query.put("prefix", prefix);
    query.put("transaction", transaction);
    query.put("time", time);
    query.put("limit", limit);
    if (format.isEmpty()) {
      return show("/api/v1/graph", query, GraphCommand::table);
    }
    query.put("format", format);
    String text = client().text("/api/v1/graph", Ask.query(query));
    if (to.isPresent()) {
      Files.writeString(to.get(), text, StandardCharsets.UTF_8);
    } else {
      print(text);
    }
    return GOOD;
  }

  private static void table(Sheet sheet, Node graph) {
    sheet.title("after transaction " + graph.text("transaction") + ", " + graph.text("time"));
    ValuesCommand.table(sheet, graph.list("nodes"));
    if (graph.number("leftOut") > 0) {
      sheet.line(graph.text("leftOut") + " more are left out: --limit, --prefix");
    }
  }
}
