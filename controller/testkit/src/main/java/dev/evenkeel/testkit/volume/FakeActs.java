package dev.evenkeel.testkit.volume;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes acts that pass the fault points, leave a trace, and are watched for colliding. */
final class FakeActs {
  private final FakeDisk disk;
  private final FaultPoints faults;
  private final Occupancy occupancy;
  private final List<String> calls;
  private final int life;
  private volatile boolean closed;

  FakeActs(FakeDisk disk, FaultPoints faults, Occupancy occupancy, List<String> calls) {
    this.disk = disk;
    this.faults = faults;
    this.occupancy = occupancy;
    this.calls = calls;
    life = faults.open();
  }

  void close() {
    closed = true;
  }

  List<String> calls() {
    synchronized (calls) {
      return new ArrayList<>(calls);
    }
  }

  /** What an act is about. */
  record Target(String verb, String image, List<String> read) {
    static Target of(String verb, String image, String... read) {
      return new Target(verb, image, List.of(read));
    }
  }

  /** An act that can be undone. */
  <T> Step<T> undoable(
      Target target,
      Class<T> type,
      Function<FakeDisk, Optional<T>> done,
      Function<FakeDisk, T> apply,
      Consumer<FakeDisk> undo) {
    return begun(target, type, done, apply)
        .undo(
            (context, result) -> {
              Object unused =
                  act(
                      "undo",
                      target,
                      context,
                      d -> {
                        undo.accept(d);
                        return "";
                      });
            });
  }

  /** An act that is rolled forward. */
  <T> Step<T> forward(
      Target target,
      Class<T> type,
      Function<FakeDisk, Optional<T>> done,
      Function<FakeDisk, T> apply) {
    return begun(target, type, done, apply).forwardOnly();
  }

  private <T> Steps.Builder<T> begun(
      Target target,
      Class<T> type,
      Function<FakeDisk, Optional<T>> done,
      Function<FakeDisk, T> apply) {
    return Steps.step(target.verb() + ":" + target.image(), type)
        .probe(
            context ->
                act(
                    "probe",
                    target,
                    context,
                    d -> done.apply(d).map(Probe::present).orElseGet(Probe::absent)))
        .apply(context -> act("apply", target, context, apply));
  }

  private <T> T act(String way, Target target, StepContext context, Function<FakeDisk, T> body)
      throws InterruptedException {
    String point = way + " " + target.verb();
    return call(
        point,
        target,
        d -> {
          if (context.epoch().compareTo(d.fence) < 0 && !context.epoch().equals(Epoch.NONE)) {
            throw new EvenkeelException(
                ErrorKind.FAILED_PRECONDITION, "fenced off: " + context.epoch());
          }
          return body.apply(d);
        });
  }

  /** A question. */
  <T> T ask(String point, String image, Function<FakeDisk, T> body) throws InterruptedException {
    return call(point, new Target(point, image, List.of()), body);
  }

  private <T> T call(String point, Target target, Function<FakeDisk, T> body)
      throws InterruptedException {
    if (closed) {
      throw new EvenkeelException(ErrorKind.UNAVAILABLE, "the fake backend is closed");
    }
    String call = point + ":" + target.image();
    synchronized (calls) {
      calls.add(call);
    }
    boolean act = !point.equals(target.verb());
    if (act) {
      occupancy.enter(call, target.image(), target.read());
    }
    try {
      faults.before(point, life);
      T result;
      synchronized (disk) {
        result = body.apply(disk);
      }
      faults.after(point, life);
      return result;
    } finally {
      if (act) {
        occupancy.leave(call, target.image(), target.read());
      }
    }
  }
}
