package dev.evenkeel.testkit.volume;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.volume.ImageSpec;
import java.time.Instant;
import java.util.TreeMap;

/** Calls a step with a context that has nothing to give but an epoch. */
record PlanSteps(Epoch epoch) implements StepContext {
  static ImageSpec spec(String image) {
    return new ImageSpec(image, 1 << 20, new TreeMap<>());
  }

  static <T> T apply(Step<T> step) throws Exception {
    return apply(step, Epoch.NONE);
  }

  static <T> T apply(Step<T> step, Epoch epoch) throws Exception {
    return step.apply(new PlanSteps(epoch));
  }

  @Override
  public <T> T get(Ref<T> ref) {
    throw new IllegalStateException("no act needs the result of another");
  }

  @Override
  public Secret secret(String name) {
    throw new IllegalStateException("no act needs a secret");
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
  public String transaction() {
    return "t";
  }
}
