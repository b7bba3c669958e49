package dev.evenkeel.app.ask;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code log}. */
@Command(
    name = "log",
    description = {
      "The levels of a running controller's log; with a logger and a level, changes one.",
      "inherit takes it back; root is the one that all others inherit from."
    })
public final class LogCommand extends AskCommand {
  @Parameters(index = "0", arity = "0..1", paramLabel = "LOGGER", description = "Its name.")
  private Optional<String> logger = Optional.empty();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "LEVEL",
      description = "off, error, warn, info, debug, trace or inherit.")
  private Optional<String> level = Optional.empty();

  @Override
  public Integer call() {
    if (logger.isEmpty()) {
      return show("/api/v1/log-levels", Map.of(), LogCommand::table);
    }
    if (level.isEmpty()) {
      throw new ParameterException(spec().commandLine(), "Which level?");
    }
    String name = logger.get().equals("root") ? "" : logger.get();
    Map<String, String> query = Map.of("logger", name, "level", level.get());
    ask().show(spec(), client().put("/api/v1/log-levels", query), LogCommand::table);
    return GOOD;
  }

  private static void table(Sheet sheet, Node tree) {
    sheet.table(
        List.of("logger", "level"),
        tree.at("levels").parts().entrySet().stream()
            .map(
                entry ->
                    List.of(
                        entry.getKey().isEmpty() ? "root" : entry.getKey(),
                        entry.getValue().text()))
            .toList());
  }
}
