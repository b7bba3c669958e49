package dev.evenkeel.app.examples;

import dev.evenkeel.txn.history.TextOptions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The examples by name. Called by the command line and by tests; one thread. */
public final class Examples {
  private final List<Example> all;

  /**
   * All examples.
   *
   * @param nanos a stopwatch, for the one that measures
   */
  public Examples(LongSupplier nanos) {
    all =
        List.of(
            new PendingAfterResync(),
            new PendingAfterChange(),
            new Recreation(),
            new RevertedChange(),
            new FixedByRetry(),
            new FixedInvalid(),
            new Performance(nanos));
  }

  /** Names and titles, in the order in which they are best read. */
  public List<String> lines() {
    return all.stream()
        .map(example -> String.format("%-22s %s", example.name(), example.title()))
        .toList();
  }

  /** Their names, in that order. */
  public List<String> names() {
    return all.stream().map(Example::name).toList();
  }

  /**
   * Runs one and shows all that happens.
   *
   * @return whether there is one of that name
   */
  public boolean run(String name, TextOptions options, Appendable out) throws IOException {
    Optional<Example> found = all.stream().filter(e -> e.name().equals(name)).findFirst();
    if (found.isEmpty()) {
      return false;
    }
    out.append("# ").append(found.get().title()).append('\n');
    found.get().run(new Stage(out, options));
    return true;
  }
}
