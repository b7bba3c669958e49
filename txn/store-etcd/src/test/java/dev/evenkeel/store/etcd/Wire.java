package dev.evenkeel.store.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A wire to a port of this machine that can be cut, and mended. */
final class Wire implements AutoCloseable {
  private final int target;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private ServerSocket server;
  private final int port;

  Wire(int target) {
    this.target = target;
    this.server = listen(0);
    this.port = server.getLocalPort();
    accept(server);
  }

  int port() {
    return port;
  }

  private static ServerSocket listen(int port) {
    try {
      ServerSocket made = new ServerSocket();
      made.setReuseAddress(true);
      made.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return made;
    } catch (IOException odd) {
      throw new UncheckedIOException(odd);
    }
  }

  /** What is on it is lost, and nobody gets through. */
  void cut() {
    close();
  }

  void mend() {
    server = listen(port);
    accept(server);
  }

  private void accept(ServerSocket from) {
    daemon(
        () -> {
          while (true) {
            Socket one = from.accept();
            Socket other = new Socket(InetAddress.getLoopbackAddress(), target);
            open.addAll(List.of(one, other));
            if (from.isClosed()) { // cut meanwhile
              one.close();
              other.close();
            }
            daemon(() -> copy(one, other));
            daemon(() -> copy(other, one));
          }
        });
  }

  private static void copy(Socket from, Socket to) throws IOException {
    byte[] bytes = new byte[8_192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      int n = in.read(bytes);
      while (n >= 0) {
        to.getOutputStream().write(bytes, 0, n);
        n = in.read(bytes);
      }
    }
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void daemon(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException cut) {
                // whoever reads or writes there notices
              }
            },
            "wire");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
      open.clear();
    } catch (IOException odd) {
      throw new UncheckedIOException(odd);
    }
  }
}
