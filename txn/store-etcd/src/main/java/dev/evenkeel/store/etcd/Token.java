package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The token of a login, put on every call: got by the first, used by all, and got anew after etcd
 * has refused it. Calls that begin while a login is under way wait for that one.
 */
final class Token extends CallCredentials {
  private static final Metadata.Key<String> HEADER =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
  private static final long LOGIN_SECONDS = 10;

  private final EtcdSettings.Login login;
  private final Channel channel;
  private final List<MetadataApplier> waiting = new ArrayList<>();
  private @Nullable Metadata headers;
  private boolean asking;

  Token(EtcdSettings.Login login, Channel channel) {
    this.login = login;
    this.channel = channel;
  }

  @Override
  public void applyRequestMetadata(RequestInfo info, Executor executor, MetadataApplier applier) {
    Metadata ready;
    synchronized (this) {
      ready = headers;
      if (ready == null) {
        waiting.add(applier);
        if (asking) {
          return;
        }
        asking = true;
      }
    }
    if (ready != null) {
      applier.apply(ready);
    } else {
      executor.execute(this::logIn);
    }
  }

  /** The token was refused. */
  synchronized void forget() {
    headers = null;
  }

  private void logIn() {
    AuthenticateRequest request;
    try {
      request =
          AuthenticateRequest.newBuilder()
              .setName(login.name())
              .setPasswordBytes(ByteString.copyFromUtf8(login.password().get()))
              .build();
    } catch (RuntimeException odd) {
      ended(null, Status.UNAUTHENTICATED.withDescription("no password was given").withCause(odd));
      return;
    }
    ClientCalls.asyncUnaryCall(
        channel.newCall(
            AuthGrpc.getAuthenticateMethod(),
            CallOptions.DEFAULT.withDeadlineAfter(LOGIN_SECONDS, TimeUnit.SECONDS)),
        request,
        new Answer());
  }

  private void ended(@Nullable Metadata got, Status failure) {
    List<MetadataApplier> told;
    synchronized (this) {
      asking = false;
      headers = got;
      told = List.copyOf(waiting);
      waiting.clear();
    }
    for (MetadataApplier applier : told) {
      if (got != null) {
        applier.apply(got);
      } else {
        applier.fail(failure);
      }
    }
  }

  /** What the login gave. */
  private final class Answer implements StreamObserver<AuthenticateResponse> {
    @Override
    public void onNext(AuthenticateResponse response) {
      Metadata got = new Metadata();
      got.put(HEADER, response.getToken());
      ended(got, Status.OK);
    }

    @Override
    public void onError(Throwable failure) {
      Status status = Status.fromThrowable(failure);
      boolean refused = status.getCode() == Status.Code.INVALID_ARGUMENT;
      ended(null, refused ? Status.UNAUTHENTICATED.withCause(failure) : status);
    }

    @Override
    public void onCompleted() {}
  }
}
