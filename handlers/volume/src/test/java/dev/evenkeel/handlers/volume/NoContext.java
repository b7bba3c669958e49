package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.StepContext;
import java.time.Instant;

/** For a step that needs nothing. */
record NoContext() implements StepContext {
  @Override
  public <T> T get(Ref<T> ref) {
    return Desk.RESULTS.get(ref);
  }

  @Override
  public Secret secret(String name) {
    throw new AssertionError("no secrets");
  }

  @Override
  public void checkReadable() {}

  @Override
  public Instant deadline() {
    return Instant.MAX;
  }

  @Override
  public boolean cancelled() {
    return false;
  }

  @Override
  public Epoch epoch() {
    return Epoch.NONE;
  }

  @Override
  public String transaction() {
    return "t";
  }
}
