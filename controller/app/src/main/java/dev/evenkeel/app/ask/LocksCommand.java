package dev.evenkeel.app.ask;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code locks}. */
@Command(
    name = "locks",
    description = "Operations that run, what each holds, and what is refused for a while.")
public final class LocksCommand extends AskCommand {
  @Override
  public Integer call() {
    Client client = client();
    Map<String, Object> all = new LinkedHashMap<>();
    for (String part : List.of("operations", "locks", "back-off")) {
      if (client.get("/api/v1/" + part, Map.of()) instanceof Map<?, ?> answer) {
        answer.forEach((name, value) -> all.put(String.valueOf(name), value));
      }
    }
    ask().show(spec(), all, LocksCommand::table);
    return GOOD;
  }

  private static void table(Sheet sheet, Node all) {
    sheet.title("operations");
    sheet.table(
        List.of("kind", "subject", "age", "stage"),
        all.list("operations").stream()
            .map(
                o ->
                    List.of(
                        o.text("kind"),
                        o.text("subject"),
                        Sheet.age(o.number("ageMicros")),
                        o.text("stage")))
            .toList());
    sheet.line("");
    sheet.title("locks");
    sheet.table(
        List.of("id", "mode", "scope", "held by", "age", "stage"),
        all.list("locks").stream().map(LocksCommand::lock).toList());
    sheet.line("");
    sheet.title("back-off");
    sheet.table(
        List.of("kind", "subject", "until", "failure"),
        all.list("backOff").stream()
            .map(
                f ->
                    List.of(
                        f.text("kind"),
                        f.text("subject"),
                        f.text("until"),
                        f.at("failure").text("message")))
            .toList());
  }

  private static List<String> lock(Node lock) {
    Node holder = lock.at("holder");
    return List.of(
        lock.text("id"),
        lock.text("mode"),
        lock.text("scope"),
        holder.text("kind") + " of " + holder.text("subject"),
        Sheet.age(holder.number("ageMicros")),
        holder.text("stage"));
  }
}
