package dev.evenkeel.app.ask;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code txn}. */
@Command(
    name = "txn",
    description = "Transactions of the engine; with a number, one with its plan and operations.")
public final class TxnCommand extends AskCommand {
  @Parameters(arity = "0..1", paramLabel = "NUMBER", description = "Number of a transaction.")
  private Optional<Long> number = Optional.empty();

  @Option(names = "--since", paramLabel = "TIME", description = "Began not before.")
  private Optional<String> since = Optional.empty();

  @Option(names = "--until", paramLabel = "TIME", description = "Began not after.")
  private Optional<String> until = Optional.empty();

  @Option(names = "--limit", paramLabel = "N", description = "The newest so many; 50.")
  private Optional<Integer> limit = Optional.empty();

  @Override
  public Integer call() {
    if (number.isPresent()) {
      String path = "/api/v1/transactions/" + number.get();
      if (ask().forPeople()) {
        print(client().text(path, Map.of("format", "text")));
        return GOOD;
      }
      return show(path, Map.of(), (sheet, tree) -> {});
    }
    Map<String, Optional<?>> query = new LinkedHashMap<>();
    query.put("since", since);
    query.put("until", until);
    query.put("limit", limit);
    return show("/api/v1/transactions", query, TxnCommand::list);
  }

  private static void list(Sheet sheet, Node tree) {
    sheet.table(
        List.of("#", "start", "took", "kind", "ended", "values", "what"),
        tree.list("transactions").stream()
            .map(
                t ->
                    List.of(
                        t.text("number"),
                        t.text("start"),
                        t.yes("running") ? "" : Sheet.millis(t.number("micros")),
                        t.text("kind"),
                        t.yes("running") ? "running" : t.text("outcome"),
                        Integer.toString(t.list("executed").size()),
                        t.text("description")))
            .toList());
  }
}
