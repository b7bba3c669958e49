package dev.evenkeel.controller.internal;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.controller.core.Durations;
import dev.evenkeel.controller.core.LoopClock;
import dev.evenkeel.controller.core.ScriptEnd;
import dev.evenkeel.controller.core.Work;
import dev.evenkeel.controller.flight.StepEvent;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.operation.OperationReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work on its way: one call, or call after call of a script. One thread at a time makes
 * the calls; the loop thread looks at how long the current one takes, and may cancel.
 */
public final class WorkRun {
  private final String loop;
  private final Work work;
  private final LoopClock clock;
  private final long began;
  private volatile boolean cancelled;
  private volatile @Nullable Current current;
  private @Nullable ActionOutcome outcome;
  private int calls;
  private int reported;

  /**
   * The call that runs, or is about to.
   *
   * @param number of the call in this work, from 1
   * @param deadline when its limit passes
   */
  public record Current(int number, Action action, Instant deadline, Duration limit) {}

  /** Begins: finds the first call. */
  public WorkRun(String loop, Work work, LoopClock clock) {
    this.loop = loop;
    this.work = work;
    this.clock = clock;
    this.began = clock.nanos();
    if (work instanceof Work.Call call) {
      begin(call.action());
    } else {
      advance(new ActionOutcome.Start());
    }
  }

  /** Its number. */
  public long id() {
    return work.id();
  }

  /** The call to be made next; null when there is none any more. */
  public @Nullable Current current() {
    return current;
  }

  /** Nobody waits any more. */
  public void cancel() {
    cancelled = true;
  }

  /** What came of it, when {@link #current} is null. */
  public ActionOutcome outcome() {
    return Objects.requireNonNull(outcome, "the work goes on");
  }

  /** Whether the current call of a script has passed its limit; said once for each call. */
  public @Nullable Current overdue(Instant now) {
    Current running = current;
    if (work instanceof Work.Script
        && running != null
        && running.number() != reported
        && !running.deadline().isAfter(now)) {
      reported = running.number();
      return running;
    }
    return null;
  }

  /** When the current call of a script passes its limit; absent when that has been said. */
  public Optional<Instant> overdueAt() {
    Current running = current;
    return work instanceof Work.Script && running != null && running.number() != reported
        ? Optional.of(running.deadline())
        : Optional.empty();
  }

  /** Makes the current call, and finds the next one. */
  public void make() {
    Current now = Objects.requireNonNull(current, "the work is done");
    StepEvent flight = StepEvent.start();
    ActionOutcome came = call(now);
    if (flight != null) {
      boolean failed = came instanceof ActionOutcome.Failed;
      flight.over(loop, work.scope().transaction(), now.action(), failed);
    }
    boolean fatal =
        came instanceof ActionOutcome.Failed failed
            && failed.thrown() instanceof VirtualMachineError;
    if (work instanceof Work.Call || fatal) {
      end(came);
    } else {
      advance(came);
    }
  }

  private ActionOutcome call(Current now) {
    Context context = new Context(now.deadline());
    long from = clock.nanos();
    boolean interrupted = Thread.currentThread().isInterrupted();
    try {
      Object value = now.action().run(context);
      return new ActionOutcome.Done(Objects.requireNonNull(value, "it returned null"), since(from));
    } catch (Throwable thrown) {
      return new ActionOutcome.Failed(masked(thrown, context), since(from));
    } finally {
      context.close();
      if (!interrupted) {
        clearInterrupt();
      }
    }
  }

  /** An error whose text lets a secret out is replaced by one that does not, without a cause. */
  private Throwable masked(Throwable thrown, Context context) {
    Secrets secrets = work.scope().secrets();
    if (secrets.names().isEmpty() || thrown instanceof VirtualMachineError) {
      return thrown;
    }
    List<String> values = new ArrayList<>();
    for (String name : secrets.names()) {
      secrets
          .get(name)
          .map(secret -> secret.use(context, value -> value))
          .filter(value -> !value.isEmpty())
          .ifPresent(values::add);
    }
    values.sort(Comparator.comparing(String::length).reversed());
    StringWriter everything = new StringWriter();
    thrown.printStackTrace(new PrintWriter(everything));
    if (values.stream().noneMatch(everything.toString()::contains)) {
      return thrown;
    }
    String message = Failure.of("", "", thrown).message();
    for (String value : values) {
      message = message.replace(value, Secret.MASK);
    }
    return new EvenkeelException(EvenkeelException.kindOf(thrown), message);
  }

  /** An interrupt that a call leaves behind was its own affair, and not the next call's. */
  private static void clearInterrupt() {
    boolean unused = Thread.interrupted();
  }

  private Duration since(long from) {
    return Duration.ofNanos(Math.max(0, clock.nanos() - from));
  }

  private void advance(ActionOutcome with) {
    try {
      Cursor<OperationReport> script = ((Work.Script) work).cursor();
      Cursor.Next<OperationReport> next = script.next(with);
      if (next instanceof Cursor.Next.Act<OperationReport> act) {
        begin(act.action());
      } else if (next instanceof Cursor.Next.End<OperationReport> end) {
        ScriptEnd all = new ScriptEnd(end.result(), script.results());
        end(new ActionOutcome.Done(all, since(began)));
      }
    } catch (Throwable thrown) {
      end(new ActionOutcome.Failed(thrown, since(began)));
    }
  }

  private void begin(Action action) {
    Duration limit = action.limit().orElse(work.scope().limit());
    current = new Current(++calls, action, clock.now().plus(Durations.bounded(limit)), limit);
  }

  private void end(ActionOutcome came) {
    outcome = came;
    current = null;
  }

  /** What one call is given. */
  private final class Context implements StepContext {
    private final Thread thread = Thread.currentThread();
    private final Instant deadline;
    private volatile boolean open = true;

    Context(Instant deadline) {
      this.deadline = deadline;
    }

    void close() {
      open = false;
    }

    @Override
    public void checkReadable() {
      if (!open || Thread.currentThread() != thread) {
        throw new IllegalStateException("the context belongs to a call that is over, or elsewhere");
      }
    }

    @Override
    public <T> T get(Ref<T> ref) {
      checkReadable();
      return work.scope().results().get(ref);
    }

    @Override
    public Secret secret(String name) {
      checkReadable();
      return work.scope()
          .secrets()
          .get(name)
          .orElseThrow(
              () ->
                  new EvenkeelException(
                      ErrorKind.INVALID, "the request has no secret named " + name));
    }

    @Override
    public Instant deadline() {
      return deadline;
    }

    @Override
    public boolean cancelled() {
      return cancelled;
    }

    @Override
    public Epoch epoch() {
      return work.scope().epoch();
    }

    @Override
    public String transaction() {
      return work.scope().transaction();
    }
  }
}
