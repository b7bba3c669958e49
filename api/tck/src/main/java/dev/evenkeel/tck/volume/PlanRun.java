package dev.evenkeel.tck.volume;

import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.volume.StepPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Drives the acts of a plan as an operation does: probe, then apply what is not there; back in
 * reverse, what is there. Stopping after some acts is what a crash looks like.
 */
final class PlanRun<T> {
  private final StepPlan<T> plan;
  private final List<Step<?>> steps;
  private final RunContext context = new RunContext();
  private int applied;

  PlanRun(StepPlan<T> plan) {
    this.plan = plan;
    steps = new ArrayList<>(plan.before());
    steps.add(plan.last());
  }

  static <T> T run(StepPlan<T> plan) throws Exception {
    return new PlanRun<>(plan).all();
  }

  static <T> T run(Step<T> step) throws Exception {
    return run(StepPlan.of(step));
  }

  int length() {
    return steps.size();
  }

  List<String> names() {
    return steps.stream().map(Step::name).toList();
  }

  /** How many acts were applied, not adopted. */
  int applied() {
    return applied;
  }

  T all() throws Exception {
    first(steps.size());
    return context.result(plan.last());
  }

  void first(int howMany) throws Exception {
    for (Step<?> step : steps.subList(0, howMany)) {
      forward(step);
    }
  }

  /** Applies one act without having looked, as the engine does right after it has looked. */
  void applyBlindly(int index) throws Exception {
    apply(steps.get(index));
  }

  void back() throws Exception {
    for (int i = steps.size() - 1; i >= 0; i--) {
      back(steps.get(i));
    }
  }

  /** Whether the probe of each act says that it has been done. */
  boolean isDone() throws Exception {
    for (Step<?> step : steps) {
      if (!(probe(step) instanceof Probe.Present<?>)) {
        return false;
      }
    }
    return true;
  }

  private <S> void forward(Step<S> step) throws Exception {
    if (step.probe(context) instanceof Probe.Present<S> present) {
      context.put(step, present.value());
    } else {
      apply(step);
    }
  }

  private <S> void apply(Step<S> step) throws Exception {
    context.put(step, step.apply(context));
    applied++;
  }

  private <S> void back(Step<S> step) throws Exception {
    Probe<S> probe = probe(step);
    if (probe instanceof Probe.Present<S> present) {
      step.undo(context, present.value());
    } else if (probe instanceof Probe.Partial<S>) {
      step.undoPartial(context);
    }
  }

  private <S> Probe<S> probe(Step<S> step) throws Exception {
    Probe<S> probe = step.probe(context);
    if (probe instanceof Probe.Present<S> present) {
      context.put(step, present.value());
    }
    return probe;
  }
}
