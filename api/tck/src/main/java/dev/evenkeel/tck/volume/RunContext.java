package dev.evenkeel.tck.volume;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.StepContext;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** What a step is given in a contract test: no secrets, no deadline that matters. */
final class RunContext implements StepContext {
  private final Map<String, Object> results = new HashMap<>();

  <T> void put(Step<T> step, T result) {
    results.put(step.name(), result);
  }

  <T> T result(Step<T> step) {
    return get(new Ref<>(step.name(), step.resultType()));
  }

  @Override
  public <T> T get(Ref<T> ref) {
    Object result = results.get(ref.name());
    if (result == null) {
      throw new IllegalStateException("step " + ref.name() + " has not run");
    }
    return ref.type().cast(result);
  }

  @Override
  public Secret secret(String name) {
    throw new EvenkeelException(ErrorKind.INVALID, "there is no secret " + name);
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
    return "contract";
  }
}
