package dev.evenkeel.csi;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Outside everything else: so many calls at a time and no more, a message that cannot be read is
 * the caller's mistake, and whatever else is thrown is told as a failure and not as nothing.
 */
final class Guard implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(Guard.class);

  private final int most;
  private final AtomicInteger running = new AtomicInteger();

  Guard(int most) {
    this.most = most;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    AtomicBoolean over = new AtomicBoolean();
    if (running.incrementAndGet() > most) {
      running.decrementAndGet();
      call.close(
          Status.UNAVAILABLE.withDescription(most + " calls are being answered: repeat it later"),
          new Metadata());
      return new ServerCall.Listener<>() {};
    }
    ServerCall<Q, A> counted =
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void close(Status status, Metadata trailers) {
            if (over.compareAndSet(false, true)) {
              super.close(status, trailers);
            }
          }
        };
    AtomicBoolean left = new AtomicBoolean();
    return new SimpleForwardingServerCallListener<>(next.startCall(counted, headers)) {
      @Override
      public void onMessage(Q message) {
        guarded(() -> super.onMessage(message));
      }

      @Override
      public void onHalfClose() {
        guarded(super::onHalfClose);
      }

      @Override
      public void onComplete() {
        leave();
        super.onComplete();
      }

      @Override
      public void onCancel() {
        leave();
        super.onCancel();
      }

      private void leave() {
        if (left.compareAndSet(false, true)) {
          running.decrementAndGet();
        }
      }

      private void guarded(Runnable part) {
        if (over.get()) {
          return;
        }
        try {
          part.run();
        } catch (RuntimeException thrown) {
          counted.close(of(thrown), new Metadata());
        }
      }
    };
  }

  private static Status of(RuntimeException thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof InvalidProtocolBufferException) {
        return Status.INVALID_ARGUMENT.withDescription("the message cannot be read");
      }
    }
    LOG.error("a call has failed", thrown);
    return Status.INTERNAL.withDescription("the driver has failed");
  }
}
