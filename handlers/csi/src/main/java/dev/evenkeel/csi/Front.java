package dev.evenkeel.csi;

import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.Outcome;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns calls into requests for the loop, and outcomes into answers. No thread waits for an
 * outcome; whoever has hung up is not answered, and what was begun goes on.
 */
final class Front {
  private static final Logger LOG = LoggerFactory.getLogger(Front.class);

  private final EventLoop loop;

  Front(EventLoop loop) {
    this.loop = loop;
  }

  /** Answers with what reading gives. */
  static <A> void read(StreamObserver<A> to, Supplier<A> reading) {
    A answer;
    try {
      answer = reading.get();
    } catch (Throwable thrown) {
      refuse(to, thrown);
      return;
    }
    to.onNext(answer);
    to.onCompleted();
  }

  /**
   * Lets the loop do something, and answers with what became of it.
   *
   * @param asked makes the request; what it throws is a refusal
   */
  <R, A> void act(StreamObserver<A> to, Supplier<Request<R>> asked, Function<R, A> answer) {
    try {
      var unused =
          loop.pushEvent(asked.get())
              .outcome()
              .whenComplete((outcome, thrown) -> answer(to, outcome, thrown, answer));
    } catch (Throwable thrown) {
      refuse(to, thrown);
    }
  }

  private static <R, A> void answer(
      StreamObserver<A> to, Outcome<R> outcome, Throwable thrown, Function<R, A> answer) {
    if (thrown != null) {
      Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
      refuse(to, cause == null ? thrown : cause);
      return;
    }
    if (!outcome.isSuccess() || outcome.answer().isEmpty()) {
      to.onError(Refusal.of(outcome).asRuntimeException());
      return;
    }
    read(to, () -> answer.apply(outcome.answer().get()));
  }

  private static void refuse(StreamObserver<?> to, Throwable thrown) {
    Status status = Refusal.of(thrown);
    if (status.getCode() == Status.Code.INTERNAL) {
      LOG.warn("a call has failed", thrown);
    }
    to.onError(status.asRuntimeException());
  }
}
