package dev.evenkeel.store.etcd;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NegotiationType;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to all endpoints, and the threads of one client: one for the network, which completes
 * reads of one key and writes, a few that complete the rest, one for time, and one for each watch
 * while it has something to tell. All of them are gone after {@link #close}.
 *
 * <p>Nothing is ever sent twice: gRPC repeats only what has not left this machine, and a request
 * that was refused for an old token is asked once more with a new one, as etcd has not looked at
 * it.
 */
final class Connection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
  private static final int CALL_THREADS = 4;
  private static final int LARGEST_ANSWER = 64 << 20;
  private static final long LOOK_MILLIS = 50;
  private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Metadata LEADER_WANTED = new Metadata();

  static {
    // A member that has lost its leader refuses at once, instead of letting the call wait.
    LEADER_WANTED.put(Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER), "true");
  }

  private final ThreadPoolExecutor calls;
  private final ThreadPoolExecutor watchers;
  private final ScheduledThreadPoolExecutor time;
  private final MultiThreadIoEventLoopGroup network;
  private final ManagedChannel channel;
  private final Optional<Token> token;
  private final Set<Asked<?, ?>> asked = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final AtomicLong reconnected = new AtomicLong(System.nanoTime() - RECONNECT_NANOS);
  private volatile boolean closed;

  private Connection(EtcdSettings settings, @Nullable SslContext ssl, String name) {
    calls =
        pool(
            name + "-call",
            CALL_THREADS,
            CALL_THREADS,
            new java.util.concurrent.LinkedBlockingQueue<>());
    calls.allowCoreThreadTimeOut(true);
    watchers = pool(name + "-watch", 0, 4_096, new java.util.concurrent.SynchronousQueue<>());
    time = new ScheduledThreadPoolExecutor(1, daemons(name + "-time"));
    time.setRemoveOnCancelPolicy(true);
    time.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    network = new MultiThreadIoEventLoopGroup(1, daemons(name + "-net"), NioIoHandler.newFactory());
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget(EndpointProvider.target(settings.endpoints()))
            .eventLoopGroup(network)
            .channelType(NioSocketChannel.class)
            .executor(calls)
            .offloadExecutor(calls)
            .defaultLoadBalancingPolicy("round_robin")
            .disableRetry()
            .maxInboundMessageSize(LARGEST_ANSWER)
            // A member that does not answer is found out by pings; etcd allows one in five seconds.
            .keepAliveTime(10, TimeUnit.SECONDS)
            .keepAliveTimeout(3, TimeUnit.SECONDS)
            .keepAliveWithoutCalls(true)
            .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 3_000)
            .negotiationType(ssl == null ? NegotiationType.PLAINTEXT : NegotiationType.TLS);
    if (ssl != null) {
      builder.sslContext(ssl);
    }
    channel = builder.build();
    token = settings.user().map(login -> new Token(login, channel));
  }

  /**
   * Does not wait for etcd.
   *
   * @throws EvenkeelException of kind {@code INVALID} when a certificate or key cannot be read
   */
  static Connection open(EtcdSettings settings, String name) {
    return new Connection(settings, settings.secure() ? ssl(settings) : null, name);
  }

  private static SslContext ssl(EtcdSettings settings) {
    try {
      SslContextBuilder builder =
          GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
      settings
          .tls()
          .ifPresent(
              tls -> {
                builder.trustManager(tls.authority().toFile());
                if (tls.certificate().isPresent() && tls.key().isPresent()) {
                  builder.keyManager(tls.certificate().get().toFile(), tls.key().get().toFile());
                }
              });
      return builder.build();
    } catch (SSLException | IllegalArgumentException odd) {
      throw InvalidInputException.of(
          "etcd settings", "tls", "", "must be readable PEM files, the key in PKCS#8");
    }
  }

  private static ThreadPoolExecutor pool(
      String name, int core, int most, java.util.concurrent.BlockingQueue<Runnable> queue) {
    return new ThreadPoolExecutor(core, most, 1, TimeUnit.SECONDS, queue, daemons(name));
  }

  private static ThreadFactory daemons(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** What runs observers, which may block. */
  Executor watchers() {
    return watchers;
  }

  boolean isClosed() {
    return closed;
  }

  void checkOpen() {
    if (closed) {
      throw new EvenkeelException(ErrorKind.UNAVAILABLE, "this etcd client is closed");
    }
  }

  /** Runs a short task later, unless this is closed before. */
  void later(Duration delay, Runnable task) {
    if (!closed) {
      try {
        var unused = time.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
      } catch (java.util.concurrent.RejectedExecutionException over) {
        LOG.debug("closed while something was to be done later", over);
      }
    }
  }

  /** Asks one question; fails with a {@link Refusal}. */
  <Q, R> CompletableFuture<R> ask(MethodDescriptor<Q, R> method, Q request, Limit limit) {
    return ask(method, request, limit, options());
  }

  /**
   * The same, for small answers: they are taken where they arrive, on the thread of the network,
   * which spares a wait for another one.
   */
  <Q, R> CompletableFuture<R> askShortly(MethodDescriptor<Q, R> method, Q request, Limit limit) {
    return ask(method, request, limit, options().withExecutor(Runnable::run));
  }

  private <Q, R> CompletableFuture<R> ask(
      MethodDescriptor<Q, R> method, Q request, Limit limit, CallOptions options) {
    Asked<Q, R> first = new Asked<>(method, limit, options);
    first.send(request);
    if (token.isEmpty()) {
      return first.answer;
    }
    CompletableFuture<R> answer = new CompletableFuture<>();
    var unused =
        first.answer.whenComplete(
            (response, failure) -> {
              if (failure instanceof Refusal refusal && refusal.tokenIsOld()) {
                token.get().forget();
                Asked<Q, R> second = new Asked<>(method, limit, options);
                second.send(request);
                var unused2 = second.answer.whenComplete((r, f) -> complete(answer, r, f));
              } else {
                complete(answer, response, failure);
              }
            });
    return answer;
  }

  private static <R> void complete(
      CompletableFuture<R> answer, @Nullable R response, @Nullable Throwable failure) {
    if (failure != null) {
      answer.completeExceptionally(failure);
    } else {
      answer.complete(response);
    }
  }

  /** Begins a stream that goes on until it is cancelled. */
  <Q, R> ClientCall<Q, R> stream(MethodDescriptor<Q, R> method) {
    return channel.newCall(method, options());
  }

  /** The header that every call has. */
  static Metadata headers() {
    Metadata headers = new Metadata();
    headers.merge(LEADER_WANTED);
    return headers;
  }

  /** The token was refused: the next call logs in. */
  void forgetToken() {
    token.ifPresent(Token::forget);
  }

  /** A connection was lost: it is tried again at once, not only after gRPC's growing pauses. */
  void reconnect() {
    long last = reconnected.get();
    long now = System.nanoTime();
    if (now - last >= RECONNECT_NANOS && reconnected.compareAndSet(last, now) && !closed) {
      channel.resetConnectBackoff();
    }
  }

  private CallOptions options() {
    return token.map(CallOptions.DEFAULT::withCallCredentials).orElse(CallOptions.DEFAULT);
  }

  @Override
  public void close() {
    closed = true;
    channel.shutdownNow();
    time.shutdownNow();
    watchers.shutdown();
    try {
      if (!watchers.awaitTermination(2, TimeUnit.SECONDS)) {
        // An observer that holds its watch up is interrupted after a while.
        watchers.shutdownNow();
      }
      if (!channel.awaitTermination(2, TimeUnit.SECONDS)) {
        LOG.warn("connections to etcd are not closed after two seconds");
      }
    } catch (InterruptedException hurry) {
      watchers.shutdownNow();
      Thread.currentThread().interrupt();
    }
    var unused = network.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2_000);
    calls.shutdown();
  }

  /** Looks after calls that were called off, while there are any calls. */
  private void look() {
    asked.forEach(Asked::look);
    if (asked.isEmpty()) {
      looking.set(false);
      if (asked.isEmpty() || !looking.compareAndSet(false, true)) {
        return;
      }
    }
    later(Duration.ofMillis(LOOK_MILLIS), this::look);
  }

  /** One question under way. */
  private final class Asked<Q, R> extends ClientCall.Listener<R> {
    private final CompletableFuture<R> answer = new CompletableFuture<>();
    private final Limit limit;
    private final ClientCall<Q, R> call;
    private volatile boolean sent;
    private volatile boolean calledOff;
    private @Nullable R response;

    Asked(MethodDescriptor<Q, R> method, Limit limit, CallOptions options) {
      this.limit = limit;
      ClientStreamTracer tracer =
          new ClientStreamTracer() {
            @Override
            public void outboundHeaders() {
              sent = true;
            }
          };
      this.call =
          channel.newCall(
              method,
              options
                  .withDeadlineAfter(Math.max(1, limit.leftNanos()), TimeUnit.NANOSECONDS)
                  .withStreamTracerFactory(
                      new ClientStreamTracer.Factory() {
                        @Override
                        public ClientStreamTracer newClientStreamTracer(
                            ClientStreamTracer.StreamInfo info, Metadata headers) {
                          return tracer;
                        }
                      }));
    }

    void send(Q request) {
      if (limit.call().isCancelled()) {
        calledOff = true;
        fail(Status.CANCELLED);
        return;
      }
      asked.add(this);
      if (!looking.get() && looking.compareAndSet(false, true)) {
        later(Duration.ofMillis(LOOK_MILLIS), Connection.this::look);
      }
      call.start(this, headers());
      call.request(2);
      call.sendMessage(request);
      call.halfClose();
    }

    void look() {
      if (limit.call().isCancelled() && !calledOff) {
        calledOff = true;
        call.cancel("called off by the caller", null);
      }
    }

    @Override
    public void onMessage(R message) {
      response = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      asked.remove(this);
      R got = response;
      if (status.isOk() && got != null) {
        answer.complete(got);
      } else {
        if (status.getCode() == Status.Code.UNAVAILABLE) {
          reconnect();
        }
        fail(status.isOk() ? Status.INTERNAL.withDescription("no answer") : status);
      }
    }

    private void fail(Status status) {
      answer.completeExceptionally(
          calledOff
              ? new EvenkeelException(ErrorKind.CANCELLED, "the call was called off")
              : new Refusal(status, sent));
    }
  }
}
