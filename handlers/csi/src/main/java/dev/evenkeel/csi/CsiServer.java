package dev.evenkeel.csi;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Experimental;
import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A CSI driver's server. Started and closed by the program that owns its parts, on any thread; a
 * call that waits for the loop holds no thread, and Identity has threads of its own, so that it
 * answers whatever hangs.
 */
@Experimental
public final class CsiServer implements AutoCloseable {
  private static final int LARGEST_MESSAGE = 1 << 20;
  private static final int MOST_CALLS = 2_000;
  private static final int THREADS = 32;

  private final Server server;
  private final Optional<SocketPlace> place;
  private final List<ExecutorService> executors;
  private final List<EventLoopGroup> groups;

  private CsiServer(
      Server server,
      Optional<SocketPlace> place,
      List<ExecutorService> executors,
      List<EventLoopGroup> groups) {
    this.server = server;
    this.place = place;
    this.executors = executors;
    this.groups = groups;
  }

  /**
   * Serves there from now on. Returns when it does.
   *
   * @throws EvenkeelException of kind {@code FAILED_PRECONDITION} when the place is another's or is
   *     no socket, {@code UNAVAILABLE} when it cannot be bound
   */
  public static CsiServer start(CsiParts parts, CsiOptions options, Endpoint endpoint) {
    List<ExecutorService> executors = List.of(pool("csi-call", THREADS), pool("csi-identity", 2));
    List<EventLoopGroup> groups = new ArrayList<>();
    Optional<SocketPlace> place = Optional.empty();
    boolean good = false;
    try {
      place =
          endpoint.socket().isPresent()
              ? Optional.of(SocketPlace.take(endpoint.socket().get()))
              : Optional.empty();
      NettyServerBuilder builder = builder(endpoint, place, groups);
      services(parts, options).forEach(builder::addService);
      Server server =
          builder
              .executor(executors.get(0))
              .callExecutor(new Chosen(executors.get(1), executors.get(0)))
              .maxInboundMessageSize(LARGEST_MESSAGE)
              .maxRstFramesPerWindow(200, 1)
              .build()
              .start();
      if (place.isPresent()) {
        place.get().show();
      }
      good = true;
      return new CsiServer(server, place, executors, groups);
    } catch (IOException failed) {
      throw new EvenkeelException(
          ErrorKind.UNAVAILABLE,
          "cannot serve at " + endpoint + ": " + failed.getMessage(),
          failed);
    } finally {
      if (!good) {
        free(place, executors, groups);
      }
    }
  }

  private static NettyServerBuilder builder(
      Endpoint endpoint, Optional<SocketPlace> place, List<EventLoopGroup> groups) {
    if (place.isEmpty()) {
      return NettyServerBuilder.forAddress(
          endpoint.address().orElseThrow(), InsecureServerCredentials.create());
    }
    boolean epoll = Epoll.isAvailable();
    for (int i = 0; i < 2; i++) {
      groups.add(
          new MultiThreadIoEventLoopGroup(
              1, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory()));
    }
    return NettyServerBuilder.forAddress(
            epoll
                ? new DomainSocketAddress(place.get().inside().toFile())
                : UnixDomainSocketAddress.of(place.get().inside()),
            InsecureServerCredentials.create())
        .channelType(
            epoll ? EpollServerDomainSocketChannel.class : NioServerDomainSocketChannel.class)
        .bossEventLoopGroup(groups.get(0))
        .workerEventLoopGroup(groups.get(1));
  }

  private static List<ServerServiceDefinition> services(CsiParts parts, CsiOptions options) {
    Abilities abilities = Abilities.of(parts.backend());
    Front front = new Front(parts.loop());
    List<BindableService> all = new ArrayList<>();
    all.add(new IdentityService(options, abilities, parts.loop()));
    all.add(new NodeService(options, parts, abilities, front));
    if (options.controller()) {
      all.add(new ControllerService(options, parts, abilities, front));
    }
    if (options.controller() && abilities.groups()) {
      all.add(new GroupService(options, parts, front));
    }
    Guard guard = new Guard(MOST_CALLS);
    CallLog log = new CallLog();
    return all.stream()
        .map(service -> ServerInterceptors.intercept(service, log))
        .map(ServerInterceptors::useInputStreamMessages)
        .map(service -> ServerInterceptors.intercept(service, guard))
        .toList();
  }

  private static ThreadPoolExecutor pool(String name, int threads) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // bounded by the number of calls
            task -> {
              Thread thread = new Thread(task, "evenkeel-" + name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Identity runs apart from all that may block. */
  private record Chosen(Executor identity, Executor others) implements ServerCallExecutorSupplier {
    @Override
    public <Q, A> Executor getExecutor(ServerCall<Q, A> call, Metadata metadata) {
      String service = call.getMethodDescriptor().getServiceName();
      return "csi.v1.Identity".equals(service) ? identity : others;
    }
  }

  /** The port that it serves at, if it is one. */
  public OptionalInt port() {
    return server.getListenSockets().stream()
        .filter(InetSocketAddress.class::isInstance)
        .mapToInt(address -> ((InetSocketAddress) address).getPort())
        .findFirst();
  }

  /** Takes no more calls, and waits so long for those that run. Idempotent. */
  public void close(Duration grace) {
    server.shutdown();
    try {
      if (!server.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS)) {
        server.shutdownNow();
        server.awaitTermination(1, TimeUnit.SECONDS);
      }
    } catch (InterruptedException hurry) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    free(place, executors, groups);
  }

  /** The same with ten seconds. */
  @Override
  public void close() {
    close(Duration.ofSeconds(10));
  }

  private static void free(
      Optional<SocketPlace> place, List<ExecutorService> executors, List<EventLoopGroup> groups) {
    for (EventLoopGroup group : groups) {
      Future<?> ended = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      Future<?> unused = ended.awaitUninterruptibly();
    }
    executors.forEach(ExecutorService::shutdown);
    try {
      if (place.isPresent()) {
        place.get().close();
      }
    } catch (IOException failed) {
      throw new EvenkeelException(
          ErrorKind.UNAVAILABLE, "the socket cannot be removed: " + failed.getMessage(), failed);
    }
  }
}
