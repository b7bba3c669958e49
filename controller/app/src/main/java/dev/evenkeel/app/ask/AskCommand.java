package dev.evenkeel.app.ask;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that asks a running controller. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
abstract class AskCommand implements Callable<Integer> {
  /** All went well. */
  static final int GOOD = 0;

  /** It was answered, and the answer is no. */
  static final int NO = 1;

  @Spec private CommandSpec spec;
  @Mixin private Ask ask;

  final CommandSpec spec() {
    return spec;
  }

  final Ask ask() {
    return ask;
  }

  final Client client() {
    return ask.client(spec);
  }

  /** Asks, and shows what comes. */
  final int show(String path, Map<String, Optional<?>> query, Ask.Shower table) {
    ask.show(spec, client().get(path, Ask.query(query)), table);
    return GOOD;
  }

  /** Shows a text as it is. */
  final void print(String text) {
    spec.commandLine().getOut().print(text.endsWith("\n") ? text : text + "\n");
    spec.commandLine().getOut().flush();
  }
}
