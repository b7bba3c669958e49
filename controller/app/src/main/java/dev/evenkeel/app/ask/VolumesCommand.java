package dev.evenkeel.app.ask;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code volumes}. */
@Command(name = "volumes", description = "Volumes and snapshots, and what runs on each.")
public final class VolumesCommand extends AskCommand {
  @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "Names that start so.")
  private Optional<String> prefix = Optional.empty();

  @Option(names = "--after", paramLabel = "NAME", description = "The page behind that one.")
  private Optional<String> after = Optional.empty();

  @Option(names = "--limit", paramLabel = "N", description = "Most of one page; 100.")
  private Optional<Integer> limit = Optional.empty();

  @Override
  public Integer call() {
    Map<String, Optional<?>> query = new LinkedHashMap<>();
    query.put("prefix", prefix);
    query.put("after", after);
    query.put("limit", limit);
    return show(
        "/api/v1/volumes",
        query,
        (sheet, page) -> {
          sheet.table(
              List.of("name", "kind", "state", "bytes", "created", "runs on it"),
              page.list("volumes").stream().map(VolumesCommand::row).toList());
          if (page.has("next")) {
            sheet.line(
                page.text("found") + " in all; more: --" + page.text("next").replace('=', ' '));
          }
        });
  }

  private static List<String> row(Node volume) {
    String runs =
        String.join(", ", volume.list("running").stream().map(r -> r.text("kind")).toList());
    String interrupted = volume.joined("interrupted");
    return List.of(
        volume.text("name"),
        volume.text("kind"),
        volume.text("state"),
        volume.text("size"),
        volume.text("created"),
        runs + (interrupted.isEmpty() ? "" : " interrupted: " + interrupted));
  }
}
