package dev.evenkeel.api.txn;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes steps from functions, for those that need no class of their own. */
public final class Steps {
  private Steps() {}

  /** A callback that returns something. */
  @FunctionalInterface
  public interface Call<T> {
    /** Runs on a worker; may block. */
    T call(StepContext context) throws Exception;
  }

  /** A callback that takes a step's result back. */
  @FunctionalInterface
  public interface Undo<T> {
    /** Runs on a worker; may block. */
    void undo(StepContext context, T done) throws Exception;
  }

  /** A callback that takes a part back. */
  @FunctionalInterface
  public interface UndoPartial {
    /** Runs on a worker; may block. */
    void undo(StepContext context) throws Exception;
  }

  /** Begins a step. */
  public static <T> Builder<T> step(String name, Class<T> resultType) {
    return new Builder<>(name, resultType);
  }

  /** Collects the parts of a step. */
  public static final class Builder<T> {
    private final String name;
    private final Class<T> resultType;
    private Call<Probe<T>> probe = context -> Probe.absent();
    private @Nullable Call<T> apply;
    private @Nullable UndoPartial undoPartial;

    private Builder(String name, Class<T> resultType) {
      this.name = Objects.requireNonNull(name, "name");
      this.resultType = Objects.requireNonNull(resultType, "resultType");
    }

    /**
     * How to look; without it the act counts as never done: then apply must be idempotent, and a
     * handler must not add the step when its turn finds a repeat ({@code Found.Repeat}), which only
     * looks and would be refused.
     */
    public Builder<T> probe(Call<Probe<T>> callback) {
      probe = Objects.requireNonNull(callback, "probe");
      return this;
    }

    /** How to do it. Needed. */
    public Builder<T> apply(Call<T> callback) {
      apply = Objects.requireNonNull(callback, "apply");
      return this;
    }

    /** How to take back a part that was not finished; without it the part is finished first. */
    public Builder<T> undoPartial(UndoPartial callback) {
      undoPartial = Objects.requireNonNull(callback, "undoPartial");
      return this;
    }

    /** How to take it back; makes the step. */
    public Step<T> undo(Undo<T> callback) {
      return new FunctionStep<>(
          name, resultType, probe, needed(), Objects.requireNonNull(callback, "undo"), undoPartial);
    }

    /** Makes a step that cannot be taken back: it is rolled forward. */
    public Step<T> forwardOnly() {
      return new FunctionStep<>(name, resultType, probe, needed(), null, null);
    }

    private Call<T> needed() {
      if (apply == null) {
        throw new IllegalStateException("step " + name + " has no apply");
      }
      return apply;
    }
  }

  private record FunctionStep<T>(
      String name,
      Class<T> resultType,
      Call<Probe<T>> look,
      Call<T> act,
      @Nullable Undo<T> back,
      @Nullable UndoPartial backPartly)
      implements Step<T> {
    @Override
    public Probe<T> probe(StepContext context) throws Exception {
      return look.call(context);
    }

    @Override
    public T apply(StepContext context) throws Exception {
      return act.call(context);
    }

    @Override
    public void undo(StepContext context, T done) throws Exception {
      if (back == null) {
        throw new IllegalStateException("step " + name + " cannot be undone");
      }
      back.undo(context, done);
    }

    @Override
    public void undoPartial(StepContext context) throws Exception {
      if (backPartly == null) {
        Step.super.undoPartial(context);
      } else {
        backPartly.undo(context);
      }
    }

    @Override
    public boolean undoable() {
      return back != null;
    }
  }
}
