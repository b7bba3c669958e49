package dev.evenkeel.app.ask;

import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code resync}. */
@Command(
    name = "resync",
    description = {
      "Lets the controller put everything right, and waits for the end; exit status 1 when it",
      "ended with failures. Full: the datastore is read anew. Downstream: what is wanted is",
      "compared with what is really there."
    })
public final class ResyncCommand extends AskCommand {
  @Option(names = "--downstream", description = "Only compare and repair what is outside.")
  private boolean downstream;

  @Option(names = "--wait", paramLabel = "SECONDS", description = "How long to wait; 60 at most.")
  private int wait = 60;

  @Override
  public Integer call() {
    String path = downstream ? "/api/v1/healing" : "/api/v1/resync";
    Object tree =
        client().post(path, Ask.query(Map.of("wait", Optional.of(Integer.toString(wait)))), "");
    ask()
        .show(
            spec(),
            tree,
            (sheet, answer) -> {
              if (answer.has("event")) {
                HistoryCommand.one(sheet, answer.at("event"));
              } else {
                sheet.pair("event", answer.text("id"));
                sheet.pair("ended", answer.has("outcome") ? answer.text("outcome") : "not yet");
              }
            });
    Node answer = new Node(tree);
    return answer.list("failures").isEmpty() ? GOOD : NO;
  }
}
