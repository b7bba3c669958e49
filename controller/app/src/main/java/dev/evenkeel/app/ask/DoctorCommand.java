package dev.evenkeel.app.ask;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code doctor}. */
@Command(
    name = "doctor",
    description = {
      "Looks at this machine: the JDK, programs, the disk, loop devices, the clock; what will work",
      "here. Asks no controller. Exit status 1 when something that is needed is missing."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
public final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where a controller is to keep its state; the current folder.")
  private Path folder = Path.of("");

  @Option(names = "--output", paramLabel = "table|json", description = "For people or programs.")
  private Output output = Output.table;

  /** In lower case, as they are written. */
  private enum Output {
    table,
    json
  }

  @Override
  public Integer call() throws InterruptedException {
    List<Map<String, Object>> findings = new Doctor(folder).examine();
    if (output == Output.json) {
      spec.commandLine().getOut().println(Forms.json(Map.of("findings", findings)));
    } else {
      new Sheet(spec.commandLine().getOut(), new Ask().style())
          .table(
              List.of("what", "is", "detail"),
              findings.stream()
                  .map(
                      one ->
                          List.of(
                              String.valueOf(one.get("what")),
                              String.valueOf(one.get("verdict")),
                              String.valueOf(one.get("detail"))))
                  .toList());
    }
    spec.commandLine().getOut().flush();
    boolean bad = findings.stream().anyMatch(one -> "fail".equals(one.get("verdict")));
    return bad ? AskCommand.NO : AskCommand.GOOD;
  }
}
