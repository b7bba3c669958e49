package dev.evenkeel.app.ask;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code history}. */
@Command(
    name = "history",
    description = {
      "Events that ran, the newest last; with a number, one of them with its handlers and steps.",
      "Times: 2026-01-31T12:00:00Z, seconds since 1970, or -15m for so long ago."
    })
public final class HistoryCommand extends AskCommand {
  @Parameters(arity = "0..1", paramLabel = "NUMBER", description = "Sequence number of an event.")
  private Optional<Long> number = Optional.empty();

  @Option(names = "--since", paramLabel = "TIME", description = "Ended not before.")
  private Optional<String> since = Optional.empty();

  @Option(names = "--until", paramLabel = "TIME", description = "Started not after.")
  private Optional<String> until = Optional.empty();

  @Option(names = "--at", paramLabel = "TIME", description = "What ran at that time.")
  private Optional<String> at = Optional.empty();

  @Option(names = "--from", paramLabel = "NUMBER", description = "From that number, with --to.")
  private Optional<Long> from = Optional.empty();

  @Option(names = "--to", paramLabel = "NUMBER", description = "To that number, with --from.")
  private Optional<Long> to = Optional.empty();

  @Option(names = "--first", paramLabel = "N", description = "The oldest so many.")
  private Optional<Long> first = Optional.empty();

  @Option(names = "--last", paramLabel = "N", description = "The newest so many.")
  private Optional<Long> last = Optional.empty();

  @Option(names = "--type", paramLabel = "TYPE", description = "Of that type, create-volume say.")
  private Optional<String> type = Optional.empty();

  @Option(names = "--text", paramLabel = "TEXT", description = "Whose description holds it.")
  private Optional<String> text = Optional.empty();

  @Option(names = "--failed", description = "Only those with a failure.")
  private boolean failed;

  @Option(names = "--limit", paramLabel = "N", description = "Most that are shown; 100.")
  private Optional<Integer> limit = Optional.empty();

  @Override
  public Integer call() {
    if (number.isPresent()) {
      return show("/api/v1/events/" + number.get(), Map.of(), HistoryCommand::one);
    }
    Map<String, Optional<?>> query = new LinkedHashMap<>();
    query.put("since", at.or(() -> since));
    query.put("until", at.or(() -> until));
    query.put("from", from);
    query.put("to", to);
    query.put("first", first);
    query.put("last", last);
    query.put("type", type);
    query.put("text", text);
    query.put("limit", limit);
    query.put("failed", failed ? Optional.of(true) : Optional.empty());
    return show("/api/v1/events", query, HistoryCommand::list);
  }

  private static void list(Sheet sheet, Node page) {
    sheet.table(
        List.of("#", "start", "took", "event", "ended", "what"),
        page.list("events").stream().map(HistoryCommand::row).toList());
    if (page.has("next")) {
      sheet.line("more: --limit shows them");
    }
  }

  private static List<String> row(Node event) {
    String failure = event.first("failures").map(f -> f.text("message")).orElse("");
    return List.of(
        event.text("sequence"),
        event.text("start"),
        event.yes("running") ? "" : Sheet.millis(event.number("micros")),
        event.text("type"),
        event.yes("running") ? "running" : event.text("outcome"),
        event.text("description") + (failure.isEmpty() ? "" : ": " + failure));
  }

  /** One event, whole. */
  static void one(Sheet sheet, Node event) {
    sheet.title("event " + event.text("sequence") + ", " + event.text("type"));
    sheet.pair("what", event.text("description"));
    sheet.pair("ended", event.yes("running") ? "running" : event.text("outcome"));
    sheet.pair("method", event.text("method"));
    sheet.pair("pushed", event.text("pushed"));
    sheet.pair("start", event.text("start"));
    sheet.pair("took", event.yes("running") ? "" : Sheet.millis(event.number("micros")));
    sheet.pair("follows up", event.text("parent"));
    sheet.pair("transaction", event.at("transaction").text("number"));
    if (!event.list("handlers").isEmpty()) {
      sheet.line("");
      sheet.table(
          List.of("handler", "call", "took", "what"),
          event.list("handlers").stream()
              .map(
                  h ->
                      List.of(
                          h.text("handler"),
                          h.yes("revert") ? "revert" : "update",
                          Sheet.millis(h.number("micros")),
                          h.text("change") + message(h.at("failure"))))
              .toList());
    }
    List<Node> steps = event.at("transaction").list("steps");
    if (!steps.isEmpty()) {
      sheet.line("");
      sheet.table(
          List.of("step", "handler", "act", "took", "failure"),
          steps.stream()
              .map(
                  s ->
                      List.of(
                          s.text("step"),
                          s.text("handler"),
                          s.text("act"),
                          Sheet.millis(s.number("micros")),
                          s.at("failure").text("message")))
              .toList());
    }
    for (Node failure : event.list("failures")) {
      sheet.line("");
      sheet.pair("failure", failure.text("owner") + " " + failure.text("operation"));
      sheet.pair("kind", failure.text("kind"));
      sheet.pair("message", failure.text("message"));
    }
  }

  private static String message(Node failure) {
    return failure.text("message").isEmpty() ? "" : " FAILED: " + failure.text("message");
  }
}
