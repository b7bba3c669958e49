package dev.evenkeel.csi;

import com.google.protobuf.Message;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Each call once, when it is answered: what was asked, with secrets masked, and with what code. */
final class CallLog implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(CallLog.class);

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!LOG.isInfoEnabled()) {
      return next.startCall(call, headers);
    }
    AtomicReference<String> asked = new AtomicReference<>("");
    String method = call.getMethodDescriptor().getBareMethodName();
    ServerCall<Q, A> telling =
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void close(Status status, Metadata trailers) {
            String why = status.getDescription() == null ? "" : ": " + status.getDescription();
            LOG.info("{} {} -> {}{}", method, asked.get(), status.getCode(), why);
            super.close(status, trailers);
          }
        };
    return new SimpleForwardingServerCallListener<>(next.startCall(telling, headers)) {
      @Override
      public void onMessage(Q message) {
        if (message instanceof Message typed) {
          asked.set(Masked.text(typed));
        }
        super.onMessage(message);
      }
    };
  }
}
