package dev.evenkeel.hostpath;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.volume.StepPlan;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Runs the acts of a plan: for what the contract does not ask of every backend. */
record Drive(BooleanSupplier stop) implements StepContext {
  static <T> T run(StepPlan<T> plan) throws Exception {
    return run(plan, () -> false);
  }

  static <T> T run(StepPlan<T> plan, BooleanSupplier stop) throws Exception {
    Drive context = new Drive(stop);
    for (Step<?> step : plan.before()) {
      Object unused = run(step, context);
    }
    return run(plan.last(), context);
  }

  private static <T> T run(Step<T> step, Drive context) throws Exception {
    return step.probe(context) instanceof Probe.Present<T> present
        ? present.value()
        : step.apply(context);
  }

  @Override
  public boolean cancelled() {
    return stop.getAsBoolean();
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
  public Epoch epoch() {
    return Epoch.NONE;
  }

  @Override
  public String transaction() {
    return "t";
  }
}
