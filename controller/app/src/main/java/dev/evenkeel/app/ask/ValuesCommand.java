package dev.evenkeel.app.ask;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code values}. */
@Command(name = "values", description = "Values, their states, and what they wait for.")
public final class ValuesCommand extends AskCommand {
  @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "Paths that start so.")
  private Optional<String> prefix = Optional.empty();

  @Option(names = "--key", paramLabel = "PATH", description = "This one only.")
  private Optional<String> key = Optional.empty();

  @Option(names = "--descriptor", paramLabel = "NAME", description = "Which that one describes.")
  private Optional<String> descriptor = Optional.empty();

  @Option(names = "--state", paramLabel = "STATE", description = "In that state: pending, say.")
  private Optional<String> state = Optional.empty();

  @Option(
      names = "--view",
      paramLabel = "desired|applied|observed",
      description = "Shows what is wanted, what is applied, or what is found outside now.")
  private Optional<String> view = Optional.empty();

  @Option(names = "--after", paramLabel = "PATH", description = "The page behind that one.")
  private Optional<String> after = Optional.empty();

  @Option(names = "--limit", paramLabel = "N", description = "Most of one page; 100.")
  private Optional<Integer> limit = Optional.empty();

  @Override
  public Integer call() {
    Map<String, Optional<?>> query = new LinkedHashMap<>();
    query.put("prefix", prefix);
    query.put("key", key);
    query.put("descriptor", descriptor);
    query.put("state", state);
    query.put("view", view);
    query.put("after", after);
    query.put("limit", limit);
    return show(
        "/api/v1/values",
        query,
        (sheet, page) -> {
          table(sheet, page.list("values"));
          if (page.has("next")) {
            sheet.line(
                page.text("found") + " in all; more: --" + page.text("next").replace('=', ' '));
          }
        });
  }

  static void table(Sheet sheet, List<Node> values) {
    sheet.table(
        List.of("value", "state", "descriptor", "owner", "is", "waits for, or why"),
        values.stream().map(ValuesCommand::row).toList());
  }

  private static List<String> row(Node value) {
    String is = value.text("value");
    if (is.isEmpty()) {
      is = value.has("applied") ? value.text("applied") : value.text("desired");
    }
    List<String> why = new ArrayList<>();
    for (Node target : value.list("targets")) {
      if (!target.yes("met")) {
        String keys = target.joined("keys");
        why.add(keys.isEmpty() ? target.text("label") : keys);
      }
    }
    String failure = value.at("failure").text("message");
    if (!failure.isEmpty()) {
      why.add(failure);
    }
    return List.of(
        value.text("key"),
        value.text("state"),
        value.text("descriptor"),
        value.text("owner"),
        is,
        why.isEmpty() ? "" : String.join("; ", why));
  }
}
