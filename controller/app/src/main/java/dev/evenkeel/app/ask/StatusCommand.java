package dev.evenkeel.app.ask;

import java.util.Map;
import picocli.CommandLine.Command;

/** {@code status}. */
@Command(
    name = "status",
    description = "How a running controller stands; exit status 1 when it is not ready.")
public final class StatusCommand extends AskCommand {
  @Override
  public Integer call() {
    Client client = client();
    Object tree = client.get("/api/v1/status", Map.of());
    ask()
        .show(
            spec(),
            tree,
            (sheet, status) -> {
              sheet.title(status.text("name") + " at " + client.address());
              sheet.pair("state", status.text("state"));
              sheet.pair("reason", status.text("reason"));
              sheet.pair("ready", status.yes("ready") ? "yes" : status.text("notReady"));
              sheet.pair(
                  "queue",
                  status.text("waiting")
                      + " of "
                      + status.text("capacity")
                      + " wait, most "
                      + status.text("highWater"));
              sheet.pair("operations", status.text("operations"));
              sheet.pair("locks", status.text("locks"));
              sheet.pair("newest event", status.text("newestEvent"));
              sheet.pair("transactions", status.text("transactions"));
              sheet.pair("last progress", status.text("lastProgress"));
            });
    return new Node(tree).yes("ready") ? GOOD : NO;
  }
}
