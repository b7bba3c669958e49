package dev.evenkeel.app.ask;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code push}. */
@Command(
    name = "push",
    description = {
      "Pushes an event of a volume into a running controller and waits for its end;",
      "exit status 1 when it was not applied. docs/demo/README.md has the format."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
public final class PushCommand extends AskCommand {
  @Parameters(paramLabel = "EVENT", description = "A line of a workload, in JSON.")
  private String event;

  @Override
  public Integer call() {
    Object tree = client().post("/api/v1/events", Map.of(), event);
    ask()
        .show(
            spec(),
            tree,
            (sheet, answer) -> {
              sheet.pair("event", answer.text("id"));
              sheet.pair("ended", answer.has("outcome") ? answer.text("outcome") : "not yet");
              answer.list("failures").forEach(one -> sheet.pair("failure", one.text()));
            });
    return new Node(tree).text("outcome").equals("applied") ? GOOD : NO;
  }
}
