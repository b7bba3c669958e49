package dev.evenkeel.app.serve;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The HTTP side of a running controller. Any thread; {@link #close} is idempotent. Nothing here
 * waits for the loop, nor the loop for it.
 */
public final class OperatorServer implements AutoCloseable {
  private static final int MOST_THREADS = 16;
  private static final int IDLE_MILLIS = 30_000;

  private final Server server;
  private final ServerConnector connector;
  private final ServeSettings settings;

  private OperatorServer(Server server, ServerConnector connector, ServeSettings settings) {
    this.server = server;
    this.connector = connector;
    this.settings = settings;
  }

  /**
   * Listens from now on.
   *
   * @param stream tells the events; closed by whoever made it
   * @param more that can be asked of this controller
   * @throws EvenkeelException when it cannot: the port is taken, the keystore cannot be read
   */
  public static OperatorServer start(
      ServeSettings settings, Subject subject, EventStream stream, List<Route> more) {
    QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 2, 10_000);
    threads.setName("evenkeel-http");
    threads.setDaemon(true);
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendDateHeader(false);
    http.setRequestHeaderSize(16 << 10);
    http.setNotifyRemoteAsyncErrors(true);
    ServerConnector connector = connector(server, http, settings);
    connector.setHost(settings.host());
    connector.setPort(settings.port());
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addConnector(connector);
    server.setHandler(new Front(new Api(subject, more), settings, stream, subject.clock()));
    try {
      server.start();
    } catch (Exception failed) {
      stop(server);
      throw new EvenkeelException(
          ErrorKind.UNAVAILABLE,
          "cannot listen on "
              + settings
              + ": "
              + reason(failed)
              + "; choose another port with --http",
          failed);
    }
    return new OperatorServer(server, connector, settings);
  }

  private static String reason(Throwable failed) {
    Throwable inner = failed;
    while (inner.getCause() != null && inner instanceof IOException) {
      inner = Objects.requireNonNull(inner.getCause());
    }
    return Objects.requireNonNullElse(inner.getMessage(), inner.toString());
  }

  private static ServerConnector connector(
      Server server, HttpConfiguration http, ServeSettings settings) {
    if (settings.keystore().isEmpty()) {
      return new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    }
    // Sent by hosts that are named by address, too.
    SecureRequestCustomizer secure = new SecureRequestCustomizer();
    secure.setSniHostCheck(false);
    http.addCustomizer(secure);
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setKeyStorePath(settings.keystore().get().toAbsolutePath().toString());
    tls.setKeyStoreType("PKCS12");
    settings.keystorePassword().ifPresent(tls::setKeyStorePassword);
    tls.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    return new ServerConnector(
        server, 1, 1, new SslConnectionFactory(tls, "http/1.1"), new HttpConnectionFactory(http));
  }

  /** Where it listens, for people and tools. */
  public String address() {
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    String scheme = settings.keystore().isPresent() ? "https://" : "http://";
    return scheme + host + ":" + connector.getLocalPort();
  }

  @Override
  public void close() {
    stop(server);
  }

  private static void stop(Server server) {
    try {
      server.stop();
    } catch (Exception ignoredAtTheEnd) {
      System.getLogger(OperatorServer.class.getName())
          .log(System.Logger.Level.DEBUG, "while stopping to listen", ignoredAtTheEnd);
    }
  }
}
