package dev.evenkeel.app.ask;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code explain}. */
@Command(
    name = "explain",
    description = {
      "Why a value or a volume is as it is: what it waits for, who holds its lock,",
      "which event, handler and step touched it last, and what happens next."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
public final class ExplainCommand extends AskCommand {
  @Parameters(
      paramLabel = "KEY|VOLUME",
      description = "Path of a value, or name or id of a volume or snapshot.")
  private String what;

  @Override
  public Integer call() {
    return show("/api/v1/explain", Map.of("what", Optional.of(what)), ExplainCommand::table);
  }

  private static void table(Sheet sheet, Node tree) {
    sheet.title(tree.text("kind") + " " + tree.text("what"));
    sheet.pair("state", tree.text("state"));
    sheet.pair("why", tree.text("why"));
    sheet.pair("next", tree.text("next"));
    Node value = tree.at("value");
    sheet.pair("wanted by", value.text("owner"));
    sheet.pair("wanted", value.text("desired"));
    sheet.pair("applied", value.text("applied"));
    for (Node wait : tree.list("waitsFor")) {
      sheet.pair(
          "waits",
          wait.text("value") + " for " + wait.text("needs") + ", which is " + wait.text("state"));
    }
    Node volume = tree.at("volume");
    sheet.pair("id", volume.text("id"));
    sheet.pair("size", volume.text("size"));
    for (Node running : tree.list("running")) {
      sheet.pair(
          "running",
          running.text("kind")
              + " for "
              + Sheet.age(running.number("ageMicros"))
              + ", "
              + (running.has("stage") ? "in " + running.text("stage") : "between steps"));
    }
    for (Node lock : tree.list("locks")) {
      Node holder = lock.at("holder");
      sheet.pair(
          "lock",
          lock.text("mode") + " held by " + holder.text("kind") + " of " + holder.text("subject"));
    }
    for (Node failed : tree.list("backOff")) {
      sheet.pair(
          "back-off", failed.text("kind") + " may be repeated after " + failed.text("until"));
    }
    List<Node> events = tree.list("lastTouchedBy");
    if (events.isEmpty()) {
      sheet.pair("last event", "none that is kept");
    }
    if (!events.isEmpty()) {
      sheet.line("");
      HistoryCommand.one(sheet, events.get(0));
    }
  }
}
