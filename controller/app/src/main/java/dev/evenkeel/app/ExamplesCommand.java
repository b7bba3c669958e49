package dev.evenkeel.app;

import dev.evenkeel.app.examples.Examples;
import dev.evenkeel.app.show.Style;
import dev.evenkeel.txn.history.TextOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code examples}: what the transaction engine does, shown on a mock switch. */
@Command(
    name = "examples",
    description = "Run an example of the transaction engine; without a name, list them.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
final class ExamplesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "Which one, or all of them: all.")
  private Optional<String> name;

  @Override
  public Integer call() throws IOException {
    Examples examples = new Examples(System::nanoTime);
    PrintWriter out = spec.commandLine().getOut();
    if (name.isEmpty()) {
      examples.lines().forEach(out::println);
    } else if (name.get().equals("all")) {
      for (String each : examples.names()) {
        examples.run(each, options(), out);
      }
    } else if (!examples.run(name.get(), options(), out)) {
      throw new ParameterException(
          spec.commandLine(), "There is no example " + name.get() + "; examples lists them");
    }
    out.flush();
    return ExitStatus.AS_EXPECTED;
  }

  private static TextOptions options() {
    Charset charset = Style.outputCharset();
    boolean frames = charset.newEncoder().canEncode("╭─│╰→…");
    return frames ? TextOptions.standard() : TextOptions.standard().inAscii();
  }
}
