package dev.evenkeel.app.examples;

import java.io.IOException;

/** One example. Implemented by the classes beside it, run by {@link Examples}. */
interface Example {
  /** What it is called on the command line. */
  String name();

  /** What it shows, in one line. */
  String title();

  /** Runs it on the caller's thread and shows all that happens. */
  void run(Stage stage) throws IOException;
}
