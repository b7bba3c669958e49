package dev.evenkeel.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.csi.v1.ProbeRequest;
import dev.evenkeel.handlers.volume.VolumeSettings;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketTest {
  private static final int MANY = 1_000;

  @TempDir Path dir;
  private Rig rig;

  @BeforeEach
  void start() throws Exception {
    rig = Rig.start(dir);
  }

  @AfterEach
  void end() throws Exception {
    rig.close();
    assertFalse(Files.exists(rig.socket), "the socket is removed");
  }

  @Test
  @DisplayName("Nobody but the owner may connect")
  void mode() throws Exception {
    assertEquals(
        PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(rig.socket));
  }

  @Test
  @DisplayName("A second server does not steal the socket of one that lives")
  void secondServer() {
    assertThrows(EvenkeelException.class, () -> serve(rig.socket).close());
    probe();
  }

  @Test
  @DisplayName("A socket that a killed driver has left is taken over")
  void staleSocket() throws Exception {
    Path left = dir.resolve("left.sock");
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      var unused = killed.bind(UnixDomainSocketAddress.of(left));
    }
    assertTrue(Files.exists(left), "it stays behind");
    try (CsiServer second = serve(left);
        SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(left))) {
      assertTrue(client.isConnected() && second.port().isEmpty());
    }
  }

  @Test
  @DisplayName("Somebody else's socket that answers is left to them, lock or not")
  void strangersSocket() throws Exception {
    Path theirs = dir.resolve("theirs.sock");
    try (ServerSocketChannel stranger = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      var unused = stranger.bind(UnixDomainSocketAddress.of(theirs));
      assertThrows(EvenkeelException.class, () -> serve(theirs).close());
      assertTrue(Files.exists(theirs));
    }
  }

  @Test
  @DisplayName("A file that is no socket is left alone")
  void noSocket() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "mine");
    assertThrows(EvenkeelException.class, () -> serve(file).close());
    assertEquals("mine", Files.readString(file));
  }

  @Test
  @DisplayName("A port of this machine does as well")
  void port() {
    try (CsiServer server =
        CsiServer.start(
            parts(), CsiOptions.all(rig.nodeId()), Endpoint.parse("tcp://127.0.0.1:0"))) {
      assertTrue(server.port().getAsInt() > 0);
    }
  }

  @ParameterizedTest(name = "{index}")
  @ValueSource(
      strings = {"", "unix:", "http://127.0.0.1:1", "tcp://192.0.2.1:1", "tcp://127.0.0.1:70000"})
  @DisplayName("Another endpoint than a socket or a port of this machine is refused")
  void badEndpoints(String text) {
    assertThrows(
        RuntimeException.class,
        () -> CsiServer.start(parts(), CsiOptions.all(rig.nodeId()), Endpoint.parse(text)).close());
  }

  @Test
  @DisplayName("A path that no socket can have is refused before anything is made")
  void longPath() {
    assertThrows(InvalidInputException.class, () -> Endpoint.parse("unix:///" + "x".repeat(120)));
    assertThrows(
        InvalidInputException.class, () -> Endpoint.parse("unix:///" + "x".repeat(97) + "/s"));
  }

  @Test
  @DisplayName("1,000 silent connections do not keep others from being answered")
  void manyConnections() throws Exception {
    List<SocketChannel> silent = new ArrayList<>();
    try {
      for (int i = 0; i < MANY; i++) {
        silent.add(SocketChannel.open(UnixDomainSocketAddress.of(rig.socket)));
      }
      probe();
    } finally {
      for (SocketChannel one : silent) {
        one.close();
      }
    }
    probe();
  }

  private void probe() {
    assertTrue(
        rig.identity().probe(ProbeRequest.getDefaultInstance()).getReady().getValue(), "ready");
  }

  private CsiServer serve(Path socket) {
    return CsiServer.start(
        parts(), CsiOptions.all(rig.nodeId()), Endpoint.parse("unix://" + socket));
  }

  private CsiParts parts() {
    return new CsiParts(rig.loop, rig.store, rig.backend, VolumeSettings.of("demo"));
  }
}
