package dev.evenkeel.controller.core;

import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.txn.Action;
import java.time.Duration;
import java.util.Optional;

/** Asks an external source for all that it has. */
record SourceAction(ExternalSource source) implements Action {
  @Override
  public Kind kind() {
    return Kind.RETRIEVE;
  }

  @Override
  public String target() {
    return source.name();
  }

  @Override
  public String owner() {
    return "loop";
  }

  @Override
  public Optional<Duration> limit() {
    return Optional.empty();
  }

  @Override
  public boolean inline() {
    return false;
  }

  @Override
  public Object run(StepContext context) throws Exception {
    return source.snapshot();
  }
}
